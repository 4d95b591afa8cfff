/** Manual page of the rooms: `generated/docs/rooms.md`. */
import { pageComment } from '../markdown.js';
import type { Room } from './read-rooms.js';
import { meaningOf, requireRooms } from './room-meanings.js';
import { roomSize } from './room-size.js';

/** Renders every room with its meaning, its size and all of its imports. */
export function roomsPage(rooms: readonly Room[]): string {
  requireRooms(rooms);
  const rows = rooms.map((room) => {
    const imports = room.imports.map((name) => `\`${name}\``).join(', ');
    return `| \`${room.name}\` | ${meaningOf(room)} | ${roomSize(room)} | ${imports} |`;
  });
  return `${pageComment('the imports of src/')}# Rooms of src/

A room is a folder of \`src/\`, or a file beside the folders. Imports have one direction: no room imports itself through others.

![Rooms of src/: each box imports the boxes that its arrows lead to, and what those import](rooms.svg)

| Room | Meaning | Size | Imports |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}
