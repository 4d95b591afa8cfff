// Bundles each example to dist/. Svelte files are compiled to modules first.
import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { compile } from 'svelte/compiler';

const svelte = {
  name: 'svelte',
  setup(building) {
    building.onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
      const { js } = compile(await readFile(path, 'utf8'), { filename: path, css: 'injected' });
      return { contents: js.code };
    });
  },
};

await build({
  entryPoints: ['plain.js', 'react.jsx', 'vue.js', 'svelte.js'],
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  conditions: ['browser'],
  define: {
    'process.env.NODE_ENV': '"production"',
    __VUE_OPTIONS_API__: 'false',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
  },
  alias: { 'dbr-inbox': '../../dist/inbox/dbr-inbox.js' },
  jsx: 'automatic',
  plugins: [svelte],
  logLevel: 'warning',
});
