/** Reads the inputs once and makes the products in memory; writes nothing. */
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { bundleDocument } from './document.js';
import { errorsPage } from './errors-page.js';
import { errorsModule, readErrorTable, statusesOf } from './errors.js';
import type { ErrorTable } from './errors.js';
import { asString, listMember } from './json.js';
import type { JsonObject } from './json.js';
import { readOperations } from './model.js';
import type { Operation } from './model.js';
import { operationsPage } from './operations-page.js';
import { operationsModule } from './operations.js';
import { parametersModule } from './parameters.js';
import { readSqlStates, sqlStatesModule } from './sqlstates.js';
import type { SqlStateTable } from './sqlstates.js';
import { typeTestsModule } from './type-tests.js';
import { typesModule } from './types.js';
import { bodyValidators, parameterValidators } from './validators.js';
import type { OutputFile } from './writer.js';

/** Paths of the inputs. */
export interface InputFiles {
  readonly document: string;
  readonly errors: string;
  readonly sqlStates: string;
}
export interface Inputs {
  readonly errors: ErrorTable;
  readonly sqlStates: SqlStateTable;
  readonly document: JsonObject;
  readonly operations: readonly Operation[];
}

/** Reads the OpenAPI document and its tables. Errors: invalid content, with its place. */
export async function readInputs(files: InputFiles): Promise<Inputs> {
  const errors = readErrorTable(await readYaml(files.errors), files.errors);
  const sqlStates = readSqlStates(await readYaml(files.sqlStates), files.sqlStates);
  const document = await bundleDocument(files.document, errors);
  const operations = readOperations(document);
  const inputs = { errors, sqlStates, document, operations };
  refuseUnknownErrors(inputs);
  return inputs;
}

/** Makes every file that depends on the document and the tables alone. */
export async function documentProducts(inputs: Inputs): Promise<readonly OutputFile[]> {
  const { errors, sqlStates, document, operations } = inputs;
  return [
    { path: 'errors.ts', content: errorsModule(errors) },
    { path: 'sqlstates.ts', content: sqlStatesModule(sqlStates) },
    { path: 'openapi.json', content: `${JSON.stringify(document, null, 2)}\n` },
    { path: 'types.ts', content: await typesModule(document) },
    { path: 'type-tests.ts', content: typeTestsModule(document) },
    { path: 'operations.ts', content: operationsModule(document, operations) },
    { path: 'parameters.ts', content: parametersModule(document, operations) },
    { path: 'validators-parameters.ts', content: parameterValidators(document, operations) },
    { path: 'validators-bodies.ts', content: bodyValidators(document, operations) },
    { path: 'docs/errors.md', content: errorsPage(errors, sqlStates) },
    { path: 'docs/operations.md', content: operationsPage(document, operations) },
  ];
}

/** A response names errors of the table, each with the status of the response; the document may name those of no operation. */
function refuseUnknownErrors({ document, operations, errors }: Inputs): void {
  const statusesByName = new Map(errors.entries.map((entry) => [entry.name, statusesOf(entry)]));
  const ofDocument = { status: 'default' as const, errors: documentErrors(document) };
  for (const response of [ofDocument, ...operations.flatMap((operation) => operation.responses)]) {
    const wrong = response.errors.filter((name) => {
      const statuses = statusesByName.get(name);
      return statuses === undefined || (response.status !== 'default' && !statuses.includes(response.status));
    });
    if (wrong.length > 0)
      throw new Error(
        `response ${String(response.status)}: no error of this status is named ${wrong.join(', ')}`,
      );
  }
}

function documentErrors(document: JsonObject): readonly string[] {
  return listMember(document, 'x-dbr-errors', 'document').map((name) =>
    asString(name, 'document/x-dbr-errors'),
  );
}

async function readYaml(file: string): Promise<unknown> {
  return parse(await readFile(file, 'utf8'));
}
