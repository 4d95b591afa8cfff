/**
 * Bundles the service and the packages that it imports into dist/src/. Node reads a few files at the start instead of
 * nearly a thousand, which takes half of the processor time. What is imported later is a file of its own.
 */
import { build, type Plugin } from 'esbuild';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NOTICES, noticesOf } from './notices.js';
import { replaceFolder } from './replace-folder.js';

const OUTPUT = 'dist/src';

/** CommonJS packages in an ES module call this for the modules of Node. */
const REQUIRE =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

/**
 * Packages of gRPC read files beside their code, for example the protocol of health checks. They find them in the
 * installed package.
 */
const packageFolders: Plugin = {
  name: 'package-folders',
  setup(build) {
    build.onLoad({ filter: /node_modules\/(@grpc|grpc-health-check)\/.*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const name = JSON.stringify(path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
      return {
        contents: text.replaceAll('__dirname', `require('node:path').dirname(require.resolve(${name}))`),
        loader: 'js',
      };
    });
  },
};

async function bundle(folder: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: ['src/main.ts'],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    banner: { js: REQUIRE },
    // pg asks for it only where the native client is used.
    external: ['pg-native'],
    // pg looks for Cloudflare in it, and where there is none makes a Response, which loads the HTTP client of Node.
    define: { navigator: '{"userAgent":"Node.js"}' },
    plugins: [packageFolders],
    logLevel: 'warning',
  });
  await writeFile(join(folder, NOTICES), await noticesOf(metafile));
}

// The compiler of earlier versions wrote this folder; it must not be published.
await rm('dist/generated', { recursive: true, force: true });
await replaceFolder(OUTPUT, bundle);
