import { expect } from 'chai';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { drawRooms } from '../../../codegen/rooms/draw-rooms.js';
import { readRooms, withoutImplied, type Room } from '../../../codegen/rooms/read-rooms.js';
import { roomSize } from '../../../codegen/rooms/room-size.js';
import { roomProducts } from '../../../codegen/rooms/room-products.js';
import { roomsPage } from '../../../codegen/rooms/rooms-page.js';

describe('the plan of the rooms', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dbr-rooms-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const roomsOf = async (files: Readonly<Record<string, string>>): Promise<readonly Room[]> => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return readRooms(folder);
  };

  it('has a room for each folder and for each file beside the folders, with its imports', async () => {
    const rooms = await roomsOf({
      'main.ts': "import { serve } from './http/serve.js';\n",
      'http/serve.ts':
        "import type { Row } from '../postgres/deep/row.js';\nimport './reply.js';\nimport 'koa';\n",
      'http/reply.ts': "export { text } from '../postgres/text.js';\n",
      'postgres/deep/row.ts': '\n\n',
      'postgres/text.ts': '',
    });
    expect(rooms).to.deep.equal([
      { name: 'http', files: 2, lines: 4, imports: ['postgres'] },
      { name: 'main.ts', files: 1, lines: 1, imports: ['http'] },
      { name: 'postgres', files: 2, lines: 2, imports: [] },
    ]);
  });

  it('refuses rooms that import each other through a third', async () => {
    const files = {
      'a/a.ts': "import '../b/b.js';\n",
      'b/b.ts': "import '../c/c.js';\n",
      'c/c.ts': "import '../a/a.js';\n",
      'd/d.ts': "import '../a/a.js';\n",
    };
    const error: unknown = await roomsOf(files).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(String(error)).to.equal('Error: rooms import each other: a, b, c');
  });

  it('draws an arrow for each import that no other implies', async () => {
    const room = (name: string, imports: readonly string[]): Room => ({ name, files: 1, lines: 1, imports });
    const rooms = [room('a', ['b', 'c']), room('b', ['c']), room('c', [])];
    expect(withoutImplied(rooms).map(({ imports }) => imports)).to.deep.equal([['b'], ['c'], []]);
    const svg = await drawRooms(rooms);
    expect(svg.match(/title="\w imports \w"/g)).to.deep.equal(['title="a imports b"', 'title="b imports c"']);
    expect(await drawRooms(rooms)).to.equal(svg);
  });

  it('rounds lines to two digits', () => {
    expect(roomSize({ name: 'a', files: 3, lines: 7346, imports: [] })).to.equal('3 files, 7,300 lines');
    expect(roomSize({ name: 'a.ts', files: 1, lines: 46, imports: [] })).to.equal('46 lines');
  });

  it('draws the rooms inside a room, and describes its folders @long', async () => {
    const products = await roomProducts('src');
    expect(products.map(({ path }) => path)).to.deep.equal([
      'docs/rooms.md',
      'docs/rooms.svg',
      'docs/rooms-data-api.svg',
      'docs/rooms-signing.svg',
    ]);
    const [page, , dataApi] = products.map(({ content }) => String(content));
    expect(page).to.include('## Inside src/data-api\n\n![');
    expect(page).to.include('| `prepare` | Plan → prepared statements');
    expect(dataApi).to.include('title="prepare imports graph"');
  });

  it('refuses a room that has no description, and a description that has no room', () => {
    const unknown = { name: 'cellar', files: 1, lines: 1, imports: [] };
    expect(() => roomsPage([unknown], [])).to.throw('describes rooms that do not exist');
  });
});
