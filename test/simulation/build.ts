/** Bundles the simulation with the service, where wanted with a fault in the source of the service. */
import { build, type Plugin } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package.js';

/** An edit of the source: a text that occurs once in a file, and what takes its place. */
export interface SourceEdit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const REQUIRE =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

const edited = (root: string, { file, from, to }: SourceEdit): Plugin => ({
  name: 'planted-fault',
  setup(context) {
    context.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (path !== join(root, file)) return null;
      const text = await readFile(path, 'utf8');
      if (text.split(from).length !== 2) throw new Error(`${file} does not have this text once: ${from}`);
      return { contents: text.replace(from, () => to), loader: 'ts' };
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
    plugins: edit === null ? [] : [edited(root, edit)],
    logLevel: 'error',
  });
  return outfile;
}
