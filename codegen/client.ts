/** The consumer's client: `generated/client`, written by @hey-api/openapi-ts with its fetch runtime beside it. */
import { createClient } from '@hey-api/openapi-ts';
import { clientConstants, readEnumConstants } from './enum-constants.js';
import type { JsonObject } from './json.js';
import { inScratchFolder, readFolder } from './scratch.js';
import { banner } from './text.js';
import type { OutputFile } from './writer.js';

/** A separate TypeScript project: the runtime of the client is strict but does not follow the stricter rules of this repository. */
const TSCONFIG = {
  compilerOptions: {
    ...{
      target: 'ES2023',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      module: 'NodeNext',
      types: [],
      strict: true,
    },
    ...{ verbatimModuleSyntax: true, isolatedModules: true, skipLibCheck: true, noEmit: true },
  },
  include: ['.'],
};

const INDEX = 'client/index.ts';
const REEXPORT = `
export { client } from './client.gen.js';
export { createClient, createConfig } from './client/index.js';
export * from './constants.gen.js';
`;

/** Returns the files of the client. Uses no network. */
export async function clientProducts(document: JsonObject): Promise<readonly OutputFile[]> {
  return inScratchFolder(async (folder) => {
    await createClient({
      input: { ...document },
      output: { path: folder, module: { extension: '.js' }, tsConfigPath: null },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent', file: false },
    });
    const files = await readFolder(folder, 'client');
    const constants = clientConstants(readEnumConstants(document));
    return [
      ...files.map(({ path, content }) => ({
        path,
        content: banner('openapi/') + content.toString() + (path === INDEX ? REEXPORT : ''),
      })),
      { path: 'client/constants.gen.ts', content: constants },
      { path: 'client/tsconfig.json', content: `${JSON.stringify(TSCONFIG, null, 2)}\n` },
    ];
  });
}
