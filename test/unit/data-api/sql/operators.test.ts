import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import {
  OPERATORS,
  type Operator,
  QUANTIFIABLE_OPERATORS,
} from '../../../../src/data-api/grammar/operators.js';
import { rowsOf } from '../../../support/data-api/planned.js';

/** A filter and its condition for every operator: the compiler names the one that is missing. */
const CONDITIONS: Readonly<Record<Operator, readonly [filter: string, condition: string]>> = {
  eq: ['eq(any).{1}', '= any ($1)'],
  neq: ['neq.1', '<> $1'],
  gt: ['gt(any).{1}', '> any ($1)'],
  gte: ['gte(any).{1}', '>= any ($1)'],
  lt: ['lt(all).{1}', '< all ($1)'],
  lte: ['lte(all).{1}', '<= all ($1)'],
  like: ['like(any).{a*}', 'like any ($1)'],
  ilike: ['ilike(any).{a*}', 'ilike any ($1)'],
  match: ['match(any).{a}', '~ any ($1)'],
  imatch: ['imatch(any).{a}', '~* any ($1)'],
  in: ['in.(1,2)', '= any ($1)'],
  is: ['is.null', 'is null'],
  isdistinct: ['isdistinct.1', 'is distinct from $1'],
  fts: ['fts(french).a', '@@ pg_catalog.to_tsquery($1, $2)'],
  plfts: ['plfts.a', '@@ pg_catalog.plainto_tsquery($1)'],
  phfts: ['phfts.a', '@@ pg_catalog.phraseto_tsquery($1)'],
  wfts: ['wfts.a', '@@ pg_catalog.websearch_to_tsquery($1)'],
  cs: ['cs.{1}', '@> $1'],
  cd: ['cd.{1}', '<@ $1'],
  ov: ['ov.{1}', '&& $1'],
  sl: ['sl.(1,2)', '<< $1'],
  sr: ['sr.(1,2)', '>> $1'],
  nxr: ['nxr.(1,2)', '&< $1'],
  nxl: ['nxl.(1,2)', '&> $1'],
  adj: ['adj.(1,2)', '-|- $1'],
};

describe('operators', () => {
  for (const [operator, [filter, condition]] of Object.entries(CONDITIONS))
    it(`${operator} is ${condition}`, () => {
      expect(rowsOf(`GET /notes?a=${filter}`)).to.contain(`where "notes"."a" ${condition}`);
      expect(rowsOf(`GET /notes?a=not.${filter}`)).to.contain(`not ("notes"."a" ${condition})`);
    });

  it('take any and all where PostgREST does', () => {
    expect(QUANTIFIABLE_OPERATORS).to.have.members([
      ...['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch'],
    ]);
  });

  it('are all named in the published document', () => {
    const document = readFileSync(new URL('../../../../generated/openapi.json', import.meta.url), 'utf8');
    for (const operator of Object.keys(OPERATORS)) expect(document).to.contain(`\`${operator}\``);
  });
});
