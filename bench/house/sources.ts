/** Files and lines of src/, and of what a file of it reaches by imports: what one must read to change it. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

interface Source {
  readonly lines: number;
  /** Lines that are neither empty nor a comment. */
  readonly code: number;
  /** Relative to the folder, as the names of the files are. */
  readonly imports: readonly string[];
}

export interface Size {
  readonly files: number;
  readonly lines: number;
  readonly code: number;
}

export type Sources = ReadonlyMap<string, Source>;

export async function readSources(folder: string): Promise<Sources> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return new Map(names.map((name, index) => [name, sourceOf(name, texts[index] ?? '')]));
}

function sourceOf(name: string, text: string): Source {
  const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(join(dirname(name), path.replace(/\.js$/, '.ts'))),
  );
  const code = text.replaceAll(/^\s*\/\*[^]*?\*\/.*$/gm, '').replaceAll(/^\s*\/\/.*$/gm, '');
  return {
    lines: text.split('\n').length - 1,
    code: code.split('\n').filter((line) => line.trim() !== '').length,
    imports,
  };
}

/** The file itself, too. */
export function reachedFrom(start: string, sources: Sources): Sources {
  const reached = new Map<string, Source>();
  const open = [start];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const source = sources.get(name);
    if (source === undefined || reached.has(name)) continue;
    reached.set(name, source);
    open.push(...source.imports);
  }
  return reached;
}

export function sizeOf(sources: Sources): Size {
  let [lines, code] = [0, 0];
  for (const source of sources.values()) {
    lines += source.lines;
    code += source.code;
  }
  return { files: sources.size, lines, code };
}
