/** Manual page of the rooms: `generated/docs/rooms.md`. */
import { pageComment } from '../markdown.js';
import { isFolder, type Room } from './read-rooms.js';
import { meaningOf, requireRooms } from './room-meanings.js';
import { roomSize } from './room-size.js';

/** A room with the rooms inside it. */
export interface InnerPlan {
  /** Name of the room, a folder of `src/`. */
  readonly name: string;
  readonly rooms: readonly Room[];
}

/** Renders every room with its meaning, its size and all of its imports, and the folders of rooms with an inner plan. */
export function roomsPage(rooms: readonly Room[], inner: readonly InnerPlan[]): string {
  const folders = inner.flatMap((plan) =>
    plan.rooms.filter(isFolder).map(({ name }) => `${plan.name}/${name}`),
  );
  requireRooms([...rooms.map(({ name }) => name), ...folders]);
  return `${pageComment('the imports of src/')}# Rooms of src/

A room is a folder of \`src/\`, or a file beside the folders. Packages, whose names begin with \`packages/\`, reach the service through \`face.ts\`, and the service imports them when it needs them. Imports have one direction: no room imports itself through others.

![Rooms of src/: each box imports the boxes that its arrows lead to, and what those import](rooms.svg)

${table('Room', rooms, '')}
${inner.map(innerSection).join('')}`;
}

const innerSection = ({ name, rooms }: InnerPlan): string => `
## Inside src/${name}

![Rooms of src/${name}: each box imports the boxes that its arrows lead to, and what those import](rooms-${name}.svg)

${table('Folder', rooms.filter(isFolder), `${name}/`)}
`;

/** @param folder in which the rooms are, with a slash at its end; empty for `src/` */
function table(heading: string, rooms: readonly Room[], folder: string): string {
  const rows = rooms.map((room) => {
    const imports = room.imports.map((name) => `\`${name}\``).join(', ');
    return `| \`${room.name}\` | ${meaningOf(folder + room.name)} | ${roomSize(room)} | ${imports} |`;
  });
  return `| ${heading} | Meaning | Size | Imports |\n| --- | --- | --- | --- |\n${rows.join('\n')}`;
}
