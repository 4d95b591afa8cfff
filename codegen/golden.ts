/** Writes what the generators make of the tiny document into codegen/testdata/tiny/expected, to be looked at before it is committed. */
import { join } from 'node:path';
import { documentProducts, readInputs } from './products.js';
import { writeOutputs } from './writer.js';

const tiny = join(import.meta.dirname, 'testdata/tiny');
const inputs = await readInputs({
  document: join(tiny, 'openapi.yaml'),
  errors: join(tiny, 'errors.yaml'),
  sqlStates: join(tiny, 'sqlstates.yaml'),
});
const changed = await writeOutputs(join(tiny, 'expected'), await documentProducts(inputs));
console.log(changed.join('\n'));
