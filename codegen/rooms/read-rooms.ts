/** The dependency graph of the rooms of `src/`: a room is a folder, a file that lies beside the folders, or a package. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';
import ts from 'typescript';
import { listFiles } from '../writer.js';

export interface Room {
  /** Name of the folder or file, relative to the folder that was read; `packages/<name>` for a package. */
  readonly name: string;
  readonly files: number;
  readonly lines: number;
  /** Names of the rooms that its files import, sorted. */
  readonly imports: readonly string[];
}

/** Whether a room is a folder, not a file beside the folders. */
export const isFolder = ({ name }: Room): boolean => !name.endsWith('.ts');

interface SourceFile {
  readonly path: string;
  readonly lines: number;
  /** Paths of the imported files, relative to the same folder. */
  readonly imports: readonly string[];
}

const PACKAGES = '../packages';

/**
 * Reads the rooms of a folder, sorted by name. Errors: rooms that import each other, directly or through others.
 * @param withPackages whether the packages beside the folder are rooms, too
 */
export async function readRooms(folder: string, withPackages = false): Promise<readonly Room[]> {
  const own = (await listFiles(folder)).filter((path) => path.endsWith('.ts'));
  const paths = [...own, ...(withPackages ? await packageFiles(folder) : [])];
  const files = await Promise.all(paths.map((path) => readSource(folder, path)));
  const names = [...new Set(paths.map(roomOf))].sort();
  const rooms = names.map((name) => {
    const members = files.filter(({ path }) => roomOf(path) === name);
    const lines = members.reduce((sum, file) => sum + file.lines, 0);
    return { name, files: members.length, lines, imports: importedRooms(name, members) };
  });
  refuseCircles(rooms);
  return rooms;
}

/** Removes imports that others imply: if a imports b and b imports c, then the import of c by a is left out. */
export function withoutImplied(rooms: readonly Room[]): readonly Room[] {
  return rooms.map((room) => ({
    ...room,
    imports: room.imports.filter(
      (target) => !room.imports.some((other) => other !== target && reachableFrom(other, rooms).has(target)),
    ),
  }));
}

/** The sources of the packages, without their tests and without what builds them. */
async function packageFiles(folder: string): Promise<readonly string[]> {
  const paths = (await listFiles(join(folder, PACKAGES))).filter((path) => /\.tsx?$/.test(path));
  return paths
    .filter((path) => !/^[^/]+\/(?:test\/|build\.ts$)/.test(path))
    .map((path) => `${PACKAGES}/${path}`);
}

async function readSource(folder: string, path: string): Promise<SourceFile> {
  const text = await readFile(join(folder, path), 'utf8');
  const imports = ts
    .preProcessFile(text)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => posix.join(dirname(path), name).replace(`../${basename(folder)}/`, ''));
  return { path, lines: text.split('\n').length - 1, imports };
}

const roomOf = (path: string): string =>
  /^\.\.\/(packages\/[^/]+)\//.exec(path)?.[1] ?? path.replace(/\/.*/, '').replace(/\.js$/, '.ts');

function importedRooms(name: string, files: readonly SourceFile[]): readonly string[] {
  const targets = files.flatMap(({ imports }) => imports.map(roomOf).filter((room) => room !== '..'));
  return [...new Set(targets)].filter((target) => target !== name).sort();
}

/** Every room that a room imports, directly or through others. It contains the room itself if there is a circle. */
function reachableFrom(name: string, rooms: readonly Room[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const room = rooms.find((candidate) => candidate.name === next);
    for (const target of room?.imports ?? []) {
      if (!reached.has(target)) open.push(target);
      reached.add(target);
    }
  }
  return reached;
}

function refuseCircles(rooms: readonly Room[]): void {
  const circular = rooms.filter(({ name }) => reachableFrom(name, rooms).has(name)).map(({ name }) => name);
  if (circular.length > 0) throw new Error(`rooms import each other: ${circular.join(', ')}`);
}
