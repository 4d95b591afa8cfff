/** The client that the generator of our clients makes of a description, and the check of a program that uses it. */
import { createClient } from '@hey-api/openapi-ts';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * Generates `client/` in a folder from a description, writes a program beside it, and checks the program strictly.
 * @param program may import `./client/index.js`
 * @returns the file of the program, and what the compiler reports
 */
export async function checkClientProgram(
  folder: string,
  description: string,
  program: string,
): Promise<{ readonly file: string; readonly problems: readonly string[] }> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'description.json'), description);
  await createClient({
    input: join(folder, 'description.json'),
    output: { path: join(folder, 'client'), module: { extension: '.js' }, tsConfigPath: null },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent', file: false },
  });
  const file = join(folder, 'consumer.ts');
  await writeFile(file, program);
  return { file, problems: checkProgram(file) };
}

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
  skipLibCheck: true,
};
const LIBRARY = dirname(ts.getDefaultLibFilePath(OPTIONS));

/** The files of the language, which each program has and no test changes, are read once. */
const readLibrary = new Map<string, ts.SourceFile | undefined>();
function compilerHost(): ts.CompilerHost {
  const host = ts.createCompilerHost(OPTIONS);
  return {
    ...host,
    getSourceFile(name, ...rest) {
      if (!name.startsWith(LIBRARY)) return host.getSourceFile(name, ...rest);
      if (!readLibrary.has(name)) readLibrary.set(name, host.getSourceFile(name, ...rest));
      return readLibrary.get(name);
    },
  };
}

/** @returns what the compiler reports of a program that it checks strictly */
export function checkProgram(file: string): readonly string[] {
  const program = ts.createProgram([file], OPTIONS, compilerHost());
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file: at, messageText }) =>
        `${at?.fileName ?? ''} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}
