/** `dbr init --deploy`: files that run a project on servers, from those of `deploy/` of the package. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot, version } from '../../../../src/face.js';

const DEPLOYMENTS = ['compose', 'systemd', 'kubernetes'] as const;
export type Deployment = (typeof DEPLOYMENTS)[number];

/** Returns null for another word. */
export const deploymentOf = (word: string): Deployment | null =>
  DEPLOYMENTS.find((each) => each === word) ?? null;

export const deploymentFolder = (deployment: Deployment): string => `deploy/${deployment}`;

/**
 * @param database the address of the server, without user and password
 * @returns the files with their paths in the project. They have no secrets.
 */
export function deploymentFiles(
  deployment: Deployment,
  database: string,
): readonly { readonly path: string; readonly text: string }[] {
  const folder = deploymentFolder(deployment);
  const values = valuesOf(database);
  // The example of compose is for dbr alone.
  const own = deployment === 'compose' ? new Map<string, string>() : readFolder(folder);
  const files = new Map([...own, ...readFolder(`deploy/project/${deployment}`)]);
  return [...files].map(([name, text]) => ({
    path: `${folder}/${name}`,
    text: Object.entries(values).reduce(
      (filled, [key, value]) => filled.replaceAll(`{{${key}}}`, () => value),
      text,
    ),
  }));
}

function valuesOf(database: string): Readonly<Record<string, string>> {
  const { host, pathname, search } = new URL(database);
  // These stand between quotes of shells and of YAML. Compose takes a dollar sign for a variable.
  const quoted = (text: string): string =>
    text.replaceAll(/['$`]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return {
    version: version(),
    name: decodeURIComponent(pathname.slice(1)).replaceAll("'", "''").replaceAll('$', '$$$$'),
    path: quoted(pathname.slice(1)),
    server: quoted(`${host}${pathname}${search}`),
  };
}

/** The texts of the files in a folder of the package and in its folders, by their paths. */
function readFolder(folder: string): ReadonlyMap<string, string> {
  const root = join(packageRoot(), folder);
  return new Map(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .toSorted()
      .map((name) => [name, readFileSync(join(root, name), 'utf8')]),
  );
}
