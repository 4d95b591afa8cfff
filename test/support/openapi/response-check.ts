/** The checks of JSON response bodies, compiled from the published document. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asObject } from '../../../codegen/json.js';
import { readOperations } from '../../../codegen/model.js';
import { responseChecks } from '../../../codegen/validators.js';

const file = join(import.meta.dirname, '../../../generated/openapi.json');
const document = asObject(JSON.parse(readFileSync(file, 'utf8')), file);

/** Returns the check of a response, by operation, status and media type; undefined if none is documented. */
export const responseCheck = responseChecks(document, readOperations(document));
