import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { documentProducts, readInputs } from '../../../codegen/products.js';
import { staleOutputs } from '../../../codegen/writer.js';

const root = join(import.meta.dirname, '../../..');
const tiny = join(root, 'codegen/testdata/tiny');
const files = {
  document: join(tiny, 'openapi.yaml'),
  errors: join(tiny, 'errors.yaml'),
  sqlStates: join(tiny, 'sqlstates.yaml'),
};

describe('the products of the tiny document', () => {
  it('are those in testdata/tiny/expected; `npx tsx codegen/golden.ts` writes them', async () => {
    const products = await documentProducts(await readInputs(files));
    expect(await staleOutputs(join(tiny, 'expected'), products)).to.deep.equal([]);
  });

  it('are the same at every run', async () => {
    const first = await documentProducts(await readInputs(files));
    expect(await documentProducts(await readInputs(files))).to.deep.equal(first);
  });

  it('compile under the strict options of the repository, and refuse wrong handlers', function () {
    this.timeout(120_000);
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile.bind(ts.sys)) as {
      config: { compilerOptions: object };
    };
    const options = ts.convertCompilerOptionsFromJson(config.compilerOptions, root).options;
    const program = ts.createProgram([join(tiny, 'handlers.ts')], {
      ...options,
      noEmit: true,
      incremental: false,
      types: ['node'],
    });
    const problems = ts.getPreEmitDiagnostics(program).map((problem) => {
      const line = problem.file?.getLineAndCharacterOfPosition(problem.start ?? 0).line ?? -1;
      return `${problem.file?.fileName ?? ''}:${String(line + 1)} ${ts.flattenDiagnosticMessageText(problem.messageText, ' ')}`;
    });
    expect(problems).to.deep.equal([]);
  });
});
