/** Writes the products of the tiny document into codegen/testdata/tiny/expected. Review them before you commit them. */
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
