/** The files of deploy/, read as values, and what they may name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { asList, asObject, asString, objectMember, type JsonObject } from '../../../codegen/json.js';
import { packageRoot } from '../../../src/base/package.js';
import { environmentName } from '../../../src/settings/settings.js';
import type { Setting } from '../../../src/settings/setting.js';
import { SETTINGS } from '../../../src/settings/table.js';

export const readDeployed = (path: string): string =>
  readFileSync(join(packageRoot(), 'deploy', path), 'utf8');

/** One document of YAML; anchors and merges are resolved. */
export const readYaml = (path: string): JsonObject =>
  asObject(parse(readDeployed(path), { merge: true }), path);

/** The object of a manifest of Kubernetes. */
export function readManifest(path: string): JsonObject {
  const documents = parseAllDocuments(readDeployed(path));
  if (documents.length !== 1) throw new Error(`${path} holds ${String(documents.length)} objects`);
  return readYaml(path);
}

export const strings = (value: unknown, place: string): readonly string[] =>
  asList(value, place).map((each) => asString(each, place));

/** Follows object members by name. */
export const member = (value: JsonObject, ...names: readonly string[]): JsonObject =>
  names.reduce((parent, name) => objectMember(parent, name, name), value);

/** Variables of the environment that the service reads as settings. */
export const SETTING_VARIABLES: ReadonlySet<string> = new Set(
  Object.entries<Setting<unknown>>(SETTINGS).flatMap(([name, { environment = [] }]) => [
    environmentName(name),
    ...environment,
  ]),
);
