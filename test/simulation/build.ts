/** Bundles the simulation with the service, where wanted with a fault in the source of the service. */
import { build, type Plugin } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package.js';

/** An edit of the source: a text that occurs once in a file, and its replacement. */
export interface SourceEdit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const REQUIRE =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

/** Smaller bounds, which short schedules reach. */
const BOUNDS: readonly SourceEdit[] = [
  { file: 'src/postgres/batch.ts', from: 'LONG_RESULT_BYTES = 262_144', to: 'LONG_RESULT_BYTES = 32_768' },
  { file: 'src/postgres/pool.ts', from: 'BODY_BUFFER_BYTES = 67_108_864', to: 'BODY_BUFFER_BYTES = 262_144' },
  { file: 'src/postgres/host-client.ts', from: 'TURN_BYTES = 262_144', to: 'TURN_BYTES = 8192' },
  { file: 'src/postgres/host-client.ts', from: 'READ_BYTES = 65_536', to: 'READ_BYTES = 4096' },
  { file: 'src/postgres/backend.ts', from: 'LEAST_SPACE = 32_768', to: 'LEAST_SPACE = 2048' },
  { file: 'src/postgres/backend.ts', from: 'LONG_BODY = 4096', to: 'LONG_BODY = 256' },
  { file: 'src/data-api/execute/row-stream.ts', from: 'LONG_ROW = 65_536', to: 'LONG_ROW = 256' },
  { file: 'src/postgres/pool.ts', from: 'STATEMENT_CAPACITY = 400', to: 'STATEMENT_CAPACITY = 24' },
  { file: 'src/base/blocks.ts', from: 'BLOCK_BYTES = 65_536', to: 'BLOCK_BYTES = 4096' },
  { file: 'src/notifications/stream.ts', from: 'READS_AT_ONCE = 16', to: 'READS_AT_ONCE = 2' },
  { file: 'src/notifications/stream.ts', from: 'STREAMS_PER_USER = 5', to: 'STREAMS_PER_USER = 1' },
  {
    file: 'src/notifications/webhook-delivery.ts',
    from: 'isPrompt: true, lanes: 64, ofTenant: 8',
    to: 'isPrompt: true, lanes: 6, ofTenant: 2',
  },
  {
    file: 'src/notifications/webhook-delivery.ts',
    from: 'isPrompt: false, lanes: 32, ofTenant: 2',
    to: 'isPrompt: false, lanes: 4, ofTenant: 2',
  },
  {
    file: 'src/notifications/webhook-delivery.ts',
    from: 'MESSAGES_IN_TURN = 100',
    to: 'MESSAGES_IN_TURN = 2',
  },
  { file: 'src/mailbox/mailbox-store.ts', from: 'MAX_WINDOW = 256', to: 'MAX_WINDOW = 4' },
  { file: 'src/mailbox/mailbox-store.ts', from: 'MAILBOX_CAPACITY = 4096', to: 'MAILBOX_CAPACITY = 12' },
  { file: 'src/router/limits.ts', from: 'PAGE_DELIVERIES = 64', to: 'PAGE_DELIVERIES = 3' },
  { file: 'src/router/limits.ts', from: 'PARTY_PAGE_BYTES = 16_777_216', to: 'PARTY_PAGE_BYTES = 1' },
  { file: 'src/router/limits.ts', from: 'MAX_EVENT_STREAMS = 8', to: 'MAX_EVENT_STREAMS = 2' },
];

const edited = (root: string, edits: readonly SourceEdit[]): Plugin => ({
  name: 'edits',
  setup(context) {
    const files = new Set(edits.map(({ file }) => join(root, file)));
    context.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!files.has(path)) return null;
      let contents = await readFile(path, 'utf8');
      for (const { file, from, to } of edits) {
        if (path !== join(root, file)) continue;
        if (contents.split(from).length !== 2)
          throw new Error(`${file} does not have this text once: ${from}`);
        contents = contents.replace(from, () => to);
      }
      return { contents, loader: 'ts' };
    });
  },
});

/** @returns the path of the bundle */
export async function buildSimulation(name: string, edit: SourceEdit | null = null): Promise<string> {
  const root = packageRoot();
  const outfile = join(root, 'dist/simulation', `${name}.js`);
  await build({
    entryPoints: [join(root, 'test/simulation/main.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: edit === null ? 'linked' : false,
    banner: { js: REQUIRE },
    external: ['pg-native', '@electric-sql/pglite', '@grpc/*', 'grpc-health-check'],
    define: { navigator: '{"userAgent":"Node.js"}' },
    plugins: [edited(root, edit === null ? BOUNDS : [...BOUNDS, edit])],
    logLevel: 'error',
  });
  return outfile;
}
