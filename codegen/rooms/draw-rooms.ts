/** The plan of the rooms as a picture: `generated/docs/rooms.svg`, laid out by Graphviz. */
import { instance } from '@viz-js/viz';
import { withoutImplied, type Room } from './read-rooms.js';
import { roomSize } from './room-size.js';

/** Overrides the colours of Graphviz; the reader's preference decides between light and dark. */
const STYLE = `<style>
  .graph > polygon { fill: #ffffff }
  .node path { fill: #f3f6fa; stroke: #57606a }
  .edge path { stroke: #8c959f } .edge polygon { fill: #8c959f; stroke: #8c959f }
  text { fill: #1f2328 }
  @media (prefers-color-scheme: dark) {
    .graph > polygon { fill: #0d1117 }
    .node path { fill: #161b22; stroke: #8b949e }
    .edge path { stroke: #6e7681 } .edge polygon { fill: #6e7681; stroke: #6e7681 }
    text { fill: #e6edf3 }
  }
</style>`;

/**
 * Draws the rooms as boxes, each above those that it imports. Imports that others imply are not drawn.
 * The same rooms give the same picture.
 */
export async function drawRooms(rooms: readonly Room[]): Promise<string> {
  const graphviz = await instance();
  const svg = graphviz.renderString(
    {
      graphAttributes: { rankdir: 'TB', nodesep: 0.3, ranksep: 0.6, pad: 0.15 },
      nodeAttributes: {
        shape: 'box',
        style: 'rounded,filled',
        fontname: 'Helvetica',
        fontsize: 13,
        margin: '0.2,0.07',
      },
      edgeAttributes: { arrowsize: 0.6 },
      nodes: rooms.map((room) => ({
        name: room.name,
        attributes: { label: { html: label(room) }, tooltip: room.name },
      })),
      edges: withoutImplied(rooms).flatMap(({ name, imports }) =>
        imports.map((target) => ({
          tail: name,
          head: target,
          attributes: { tooltip: `${name} imports ${target}` },
        })),
      ),
    },
    { format: 'svg' },
  );
  return `<!-- Generated from the imports of src/ by \`make generate\`. Not edited by hand. -->\n${withStyle(svg)}`;
}

const label = (room: Room): string =>
  `<b>${room.name}</b><br/><font point-size="10">${roomSize(room)}</font>`;

/** Removes what precedes the root element (a document type, the version of Graphviz) and adds the style. */
function withStyle(svg: string): string {
  const root = svg.slice(svg.indexOf('<svg'));
  const end = root.indexOf('>') + 1;
  return `${root.slice(0, end)}\n${STYLE}${root.slice(end)}`;
}
