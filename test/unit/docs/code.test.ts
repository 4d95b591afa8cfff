import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { asObject, isObject, type JsonObject, type JsonValue } from '../../../codegen/json.js';
import { DBR_ERRORS, type DbrErrorEntry } from '../../../generated/errors.js';
import { packageRoot } from '../../../src/base/package.js';
import { loadSettings } from '../../../src/settings/load.js';
import {
  CODE_ELSEWHERE,
  CODE_NOT_RUN,
  codeException,
  JSON_SCHEMAS,
  LANGUAGES,
} from '../../support/end-to-end/manual-code.js';
import { manualBlocks, type ManualBlock } from '../../support/end-to-end/manual-commands.js';
import { manualPages } from '../../support/end-to-end/manual-page-paths.js';

const PAGES = manualPages();
/** The part of a value that a page leaves out. */
const LEFT_OUT = '…';

/** The values of a block: one, or one on each line. */
function valuesIn(text: string): readonly JsonValue[] {
  try {
    return [JSON.parse(text) as JsonValue];
  } catch {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonValue);
  }
}

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const isJson = (text: string): boolean => {
  try {
    return valuesIn(text).every((value) => typeof value === 'object');
  } catch {
    return false;
  }
};

describe('the code of the manual', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dbr-code-'));
  after(() => rmSync(folder, { recursive: true }));

  const document = asObject(
    JSON.parse(readFileSync(join(packageRoot(), 'generated/openapi.json'), 'utf8')) as JsonValue,
    'document',
  );
  const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, 'document');

  /** Faults, without those of values of which a part is left out. */
  function faultsOf(schema: string, value: JsonValue): readonly string[] {
    const validate = ajv.getSchema(`document#/components/schemas/${schema}`);
    if (validate === undefined) throw new Error(`no schema ${schema}`);
    if (validate(value) === true) return [];
    const isWhole = (pointer: string): boolean => {
      const found = pointer
        .split('/')
        .slice(1)
        .reduce<JsonValue | undefined>(
          (at, name) => (isObject(at ?? null) ? (at as JsonObject)[name] : undefined),
          value,
        );
      return typeof found !== 'string' || !found.includes(LEFT_OUT);
    };
    return (validate.errors ?? [])
      .filter(({ instancePath }) => isWhole(instancePath))
      .map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
  }

  /** A message of dbr has the words of its code. */
  function expectWords(value: JsonValue): void {
    if (!isObject(value) || typeof value['code'] !== 'string' || !value['code'].startsWith('DBR')) return;
    const errors: readonly DbrErrorEntry[] = Object.values(DBR_ERRORS);
    const entry = errors.find(({ code }) => code === value['code']);
    const texts = typeof entry?.message === 'string' ? [entry.message] : Object.values(entry?.message ?? {});
    const patterns = texts.map((text) =>
      text
        .split(/\{\w+\}/)
        .map(escapePattern)
        .join('.+'),
    );
    expect(value['message'], value['code']).to.match(new RegExp(`^(?:${patterns.join('|')})$`));
  }

  function check(page: string, { language, text }: ManualBlock): void {
    if (language === 'json') {
      valuesIn(text).forEach(expectWords);
      const schema = JSON_SCHEMAS.find(([path, part]) => path === page && text.includes(part))?.[2];
      if (schema !== undefined)
        expect(valuesIn(text).flatMap((value) => faultsOf(schema, value))).to.deep.equal([]);
    }
    if (language === 'yaml') expect(parse(text)).to.be.an('object');
    if (language === 'ini') {
      const file = join(folder, 'dbr.conf');
      const secrets = text.replaceAll(/@\/run\/secrets\/(\w+)/g, (_, name: string) => {
        writeFileSync(join(folder, name), 'name=a-header-or-a-secret-of-32-bytes');
        return `@${join(folder, name)}`;
      });
      writeFileSync(file, secrets);
      loadSettings({ file, environment: {} });
    }
  }

  for (const page of PAGES)
    it(`is read by what reads it, and has a known language: ${page}`, async () => {
      for (const block of await manualBlocks(page)) {
        expect(LANGUAGES, block.text).to.include(block.language);
        if (codeException(page, block.language, block.text) === null) check(page, block);
        // A block without a language is tried by no test, since it is no code or leaves out a part.
        if (block.language === '' && !block.text.includes(LEFT_OUT))
          expect(block.text).not.to.match(
            /^(?:import |const |create |alter |grant |comment on |notify |[a-z][a-z-]+ += )/,
          );
      }
    });

  it('has a language if it is JSON', async () => {
    for (const page of PAGES)
      for (const { language, text } of await manualBlocks(page))
        if (language === '') expect(isJson(text), `${page}: ${text}`).to.equal(false);
  });

  it('is still there if a list names it', async () => {
    for (const [page, part] of [...CODE_NOT_RUN, ...JSON_SCHEMAS])
      expect(
        (await manualBlocks(page)).filter(({ text }) => text.includes(part)),
        `${page}: ${part}`,
      ).to.have.length(1);
    for (const [path, languages, test] of CODE_ELSEWHERE) {
      expect(existsSync(join(packageRoot(), test)), test).to.equal(true);
      const blocks = await Promise.all(PAGES.filter((page) => page.startsWith(path)).map(manualBlocks));
      expect(new Set(blocks.flat().map(({ language }) => language))).to.include.keys(...languages);
    }
  });
});
