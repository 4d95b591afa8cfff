import { expect } from 'chai';
import { resolve } from '../../../codegen/document.js';
import { holesOf, statusesOf } from '../../../codegen/errors.js';
import type { ErrorEntry, TemplateField } from '../../../codegen/errors.js';
import { asObject, isObject, listMember, objectMember } from '../../../codegen/json.js';
import {
  examplesOf,
  publishedContract,
  writtenOperations,
} from '../../support/openapi/published-contract.js';
import { sourceTexts } from '../../support/source-files.js';

/** The codes and statuses that the service is bound to, beside those of groups 4 and 5. */
const BOUND: Readonly<Record<number, readonly string[]>> = {
  300: ['DBR201', 'DBR203'],
  400: [
    ...['DBR100', 'DBR102', 'DBR108', 'DBR109', 'DBR110', 'DBR114', 'DBR115', 'DBR118', 'DBR119', 'DBR120'],
    ...[
      'DBR122',
      'DBR123',
      'DBR124',
      'DBR130',
      'DBR131',
      'DBR132',
      'DBR133',
      'DBR140',
      'DBR143',
      'DBR144',
      'DBR145',
      'DBR146',
      'DBR147',
      'DBR150',
      'DBR151',
      'DBR160',
      'DBR161',
      'DBR162',
      'DBR165',
      'DBR167',
      'DBR170',
      'DBR171',
      'DBR172',
      'DBR180',
      'DBR181',
      'DBR184',
      'DBR185',
      'DBR186',
      'DBR187',
      'DBR190',
      'DBR200',
      'DBR204',
    ],
  ],
  401: ['DBR301', 'DBR302', 'DBR303', 'DBR304'],
  403: ['DBR191', 'DBR192', 'DBR193', 'DBR194'],
  404: ['DBR125', 'DBR202', 'DBR205'],
  405: ['DBR101', 'DBR105', 'DBR117'],
  406: ['DBR106', 'DBR107', 'DBR116'],
  409: ['DBR164', 'DBR173', 'DBR174', 'DBR179'],
  412: ['DBR142'],
  413: ['DBR182'],
  415: ['DBR107'],
  416: ['DBR103'],
  422: ['DBR163'],
  429: ['DBR168'],
  500: ['DBR111', 'DBR112', 'DBR121', 'DBR166', 'DBR300', 'DBRX00'],
  501: ['DBR183'],
  503: ['DBR000', 'DBR001', 'DBR002', 'DBR310'],
  504: ['DBR003'],
};

const templatesOf = (field: TemplateField): readonly (string | null)[] =>
  field === null || typeof field === 'string' ? [field] : Object.values(field);

/** Whether a text may come of one of a field's templates. */
function mayBe(field: TemplateField, text: unknown): boolean {
  return templatesOf(field).some((template) => {
    if (template === null) return text === null;
    if (/^\{\w+\}$/.test(template)) return true;
    const literal = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^]*');
    return typeof text === 'string' && new RegExp(`^${literal}$`).test(text);
  });
}

describe('the error table', () => {
  it('has every code with the status that it is bound to', async () => {
    const { errors } = await publishedContract();
    const bound = errors.entries.filter(({ code }) => !/^DBR[45]/.test(code));
    const byStatus: Record<number, string[]> = {};
    for (const entry of bound)
      for (const status of statusesOf(entry)) (byStatus[status] ??= []).push(entry.code);
    expect(byStatus).to.deep.equal(BOUND);
  });

  it('has the messages of a missing and of an invalid token word for word', async () => {
    const { errors } = await publishedContract();
    const byName = new Map(errors.entries.map((entry) => [entry.name, entry]));
    expect(byName.get('AuthMissing')).to.include({ status: 401, message: 'Missing authorization header' });
    expect(byName.get('AuthInvalid')).to.include({ status: 401, message: 'Invalid JWT' });
  });

  it('has sentences for the manual, and holes by names', async () => {
    const { errors } = await publishedContract();
    for (const entry of errors.entries) {
      expect(entry.meaning, entry.code).to.match(/^[A-Z`][^]*\.$/);
      expect(entry.remedy, entry.code).to.match(/^[A-Z`][^]*\.$/);
      const templates = [entry.message, entry.details, entry.hint].flatMap(templatesOf);
      for (const hole of templates.flatMap(holesOf)) expect(hole, entry.code).to.match(/^[a-z][A-Za-z]*$/);
    }
  });

  it('has no error that neither an operation nor the document names', async () => {
    const { document, operations, errors } = await publishedContract();
    const named = new Set([
      ...listMember(document, 'x-dbr-errors', 'document'),
      ...operations.flatMap(({ responses }) => responses.flatMap((response) => response.errors)),
    ]);
    expect(errors.entries.map(({ name }) => name).filter((name) => !named.has(name))).to.be.empty;
  });

  it('has no error that nothing raises', async () => {
    const { errors } = await publishedContract();
    const texts = sourceTexts().map(([, text]) => text);
    const isRaised = (name: string): boolean => texts.some((text) => text.includes(`'${name}'`));
    expect(errors.entries.map(({ name }) => name).filter((name) => !isRaised(name))).to.be.empty;
  });

  it('agrees with the examples of the document', async () => {
    const { document, errors } = await publishedContract();
    const byCode = new Map<string, ErrorEntry>(errors.entries.map((entry) => [entry.code, entry]));
    let shown = 0;
    for (const { id, written } of writtenOperations(document)) {
      for (const [status, response] of Object.entries(objectMember(written, 'responses', id))) {
        const names = listMember(resolve(document, response, id), 'x-dbr-errors', id);
        for (const [, examples] of examplesOf(document, response, `${id} ${status}`)) {
          for (const example of examples) {
            const code = isObject(example) ? example['code'] : null;
            if (!isObject(example) || typeof code !== 'string' || !code.startsWith('DBR')) continue;
            const entry = byCode.get(code);
            const place = `${id} ${status}: ${code}`;
            if (entry === undefined) throw new Error(`${place} is not in the table`);
            expect(names, place).to.include(entry.name);
            if (status !== 'default') expect(statusesOf(entry), place).to.include(Number(status));
            expect(mayBe(entry.message, example['message']), `${place} message`).to.equal(true);
            expect(mayBe(entry.details, example['details']), `${place} details`).to.equal(true);
            expect(mayBe(entry.hint, example['hint']), `${place} hint`).to.equal(true);
            shown += 1;
          }
        }
      }
    }
    expect(shown).to.be.greaterThan(200);
  });

  it('fills the enum of codes in the document', async () => {
    const { document, errors } = await publishedContract();
    const schemas = objectMember(objectMember(document, 'components', 'document'), 'schemas', 'components');
    expect(asObject(schemas['DbrErrorCode'], 'DbrErrorCode')['enum']).to.deep.equal(
      errors.entries.map(({ code }) => code),
    );
  });
});
