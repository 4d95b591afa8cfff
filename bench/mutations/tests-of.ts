/** Which unit tests may notice a mutation of a file: those that load it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Folders of one pure function, a request to its statements: what one of them decides is seen in the SQL of another. */
const TOGETHER = ['plan', 'sql', 'graph'].map((folder) => `test/unit/data-api/${folder}`);

const IMPORT = /(?:^|\n)(?:import|export)\b(?! type\b)[^;]*?'(\.[^']+)';|\bimport\('(\.[^']+)'\)/g;

export interface TestsOf {
  /** The tests on the shortest way of imports to the file, which notice most of its mutations. */
  readonly nearest: readonly string[];
  readonly others: readonly string[];
}

/**
 * Returns the tests of each file of a repository: those that import it themselves, and those of the folder of unit tests that
 * is nearest to it which load it through others.
 */
export function testsBySource(root: string): (file: string) => TestsOf {
  const importers = importersIn(root);
  return (file) => {
    const folders = foldersOf(root, file);
    const found = [...distancesTo(file, importers)].filter(
      ([test, distance]) =>
        /^(?:packages\/[^/]+\/)?test\/unit\/.*\.test\.ts$/.test(test) &&
        (distance === 1 || folders.some((folder) => test.startsWith(`${folder}/`))),
    );
    const least = Math.min(...found.map(([, distance]) => distance));
    const at = (isNear: boolean): readonly string[] =>
      found.filter(([, distance]) => (distance === least) === isNear).map(([test]) => test);
    return { nearest: at(true), others: at(false) };
  };
}

function foldersOf(root: string, file: string): readonly string[] {
  let folder = dirname(file).replace(/^src/, 'test/unit');
  while (!existsSync(join(root, folder))) folder = dirname(folder);
  return TOGETHER.includes(folder) ? TOGETHER : [folder];
}

/** Returns the files that import each file when they run. */
function importersIn(root: string): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const folder of ['src', 'packages', 'test', 'codegen'])
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const file = join(folder, name);
      if (!name.endsWith('.ts') || name.includes('node_modules')) continue;
      for (const [, from, late] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
        const target = normalize(join(dirname(file), from ?? late ?? '')).replace(/\.js$/, '.ts');
        importers.set(target, [...(importers.get(target) ?? []), file]);
      }
    }
  return importers;
}

/** Returns the files that load a file, with the number of imports on the shortest way. */
function distancesTo(
  file: string,
  importers: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const distances = new Map([[file, 0]]);
  for (const [reached, distance] of distances)
    for (const importer of importers.get(reached) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  return distances;
}
