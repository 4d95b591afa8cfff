/** Protobuf messages, the service definition and the image of the router's proto files, made by buf: `generated/proto`, `generated/router.binpb`. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { inScratchFolder, readFolder } from './scratch.js';
import type { OutputFile } from './writer.js';

const run = promisify(execFile);

const ROUTER_MODULE = 'proto/router/v1/router_pb.ts';

/**
 * Messages and service (buf.gen.yaml), and the image that reflection and `buf breaking` read. No network is used.
 * @param constants additional exports of the router's module
 */
export async function protobufProducts(root: string, constants: string): Promise<readonly OutputFile[]> {
  return inScratchFolder(async (folder) => {
    await Promise.all([
      runBuf(root, ['generate', '-o', folder]),
      runBuf(root, ['build', '-o', join(folder, 'router.binpb')]),
    ]);
    const modules = await readFolder(join(folder, 'generated', 'proto'), 'proto');
    return [
      ...modules.map(({ path, content }) => ({
        path,
        content: path === ROUTER_MODULE ? content.toString() + constants : content,
      })),
      { path: 'router.binpb', content: await readFile(join(folder, 'router.binpb')) },
    ];
  });
}

/** Runs buf in `root`; its plugin is on PATH. Errors: the output of buf. */
export async function runBuf(root: string, parameters: readonly string[]): Promise<void> {
  const binaries = join(import.meta.dirname, '..', 'node_modules', '.bin');
  const environment = { ...process.env, PATH: `${binaries}${delimiter}${process.env['PATH'] ?? ''}` };
  await run(join(binaries, 'buf'), [...parameters], { cwd: root, env: environment }).catch(
    (error: unknown) => {
      throw new Error(`buf ${parameters[0] ?? ''}: ${outputOf(error)}`);
    },
  );
}

/** buf writes findings to standard output, faults to standard error. */
function outputOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const findings = 'stdout' in error && typeof error.stdout === 'string' ? error.stdout : '';
  const faults = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr : '';
  return `${findings}${faults}`.trim() || error.message;
}
