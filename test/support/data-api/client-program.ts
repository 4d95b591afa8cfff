/** The client that the generator of our clients makes of a description, and the check of a program that uses it. */
import { createClient } from '@hey-api/openapi-ts';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { exchange } from '../service/exchange.js';

/**
 * Generates `client/` in a folder from the description that a service has at its root, writes a program beside it, and
 * checks the program strictly.
 * @param program may import `./client/index.js`
 * @returns the file of the program, and what the compiler reports
 */
export async function checkClientProgram(
  folder: string,
  url: string,
  program: string,
): Promise<{ readonly file: string; readonly problems: readonly string[] }> {
  await mkdir(folder, { recursive: true });
  const description = await exchange(`${url}/`, 'GET');
  await writeFile(join(folder, 'description.json'), description.text);
  await createClient({
    input: join(folder, 'description.json'),
    output: { path: join(folder, 'client'), module: { extension: '.js' }, tsConfigPath: null },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent', file: false },
  });
  const file = join(folder, 'consumer.ts');
  await writeFile(file, program);
  return { file, problems: problemsOf(file) };
}

function problemsOf(file: string): readonly string[] {
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    skipLibCheck: true,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file: at, messageText }) =>
        `${at?.fileName ?? ''} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}
