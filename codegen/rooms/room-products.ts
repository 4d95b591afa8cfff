/** The plans of the rooms of `src/`: one of all rooms and packages, one for each room whose folders are steps or parts, and their page. */
import { join } from 'node:path';
import type { OutputFile } from '../writer.js';
import { drawRooms } from './draw-rooms.js';
import { readRooms } from './read-rooms.js';
import { roomsPage } from './rooms-page.js';

const WITH_INNER_PLAN = ['data-api', 'signing'];

/** @throws Error for rooms that import each other, and for a room without a meaning */
export async function roomProducts(folder: string): Promise<readonly OutputFile[]> {
  const rooms = await readRooms(folder, true);
  const inner = await Promise.all(
    WITH_INNER_PLAN.map(async (name) => ({ name, rooms: await readRooms(join(folder, name)) })),
  );
  return [
    { path: 'docs/rooms.md', content: roomsPage(rooms, inner) },
    { path: 'docs/rooms.svg', content: await drawRooms(rooms) },
    ...(await Promise.all(
      inner.map(async (plan) => ({
        path: `docs/rooms-${plan.name}.svg`,
        content: await drawRooms(plan.rooms),
      })),
    )),
  ];
}
