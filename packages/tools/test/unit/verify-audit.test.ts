import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  FIRST_PREVIOUS_HASH,
  hashOfEntry,
  lineOfEntry,
  type KnownNames,
  type SealedEntry,
} from '../../../../src/signing/audit/audit-chain.js';
import { CommandLineError, readArguments } from '../../../../src/command-line/arguments.js';
import { verifyAudit } from '../../src/verify-audit.js';

/** Lines of a chain of the length. */
function chain(length: number, tenantId = 'acme'): readonly string[] {
  let previousHash = FIRST_PREVIOUS_HASH;
  return Array.from({ length }, (_, index) => {
    const entry: SealedEntry = {
      ...{ tenantId, sequence: index + 1, previousHash, sealedAt: '2026-03-01T09:29:50.871022Z' },
      ...{ at: '2026-03-01T09:29:50.120345Z', actor: 'ann', action: 'test', subject: 'ünï “x”' },
      ...{ before: null, after: { b: 1, a: [null, 2.5] }, remoteAddress: null },
    };
    previousHash = hashOfEntry(entry);
    return lineOfEntry({ entry, hash: previousHash, names: {} });
  });
}

describe('dbr audit verify', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'dbr-audit-'))));
  after(() => rmSync(folder, { recursive: true }));

  const file = (name: string, lines: readonly string[]): string => {
    const path = join(folder, name);
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
    return path;
  };
  const verify = async (...files: readonly (readonly string[])[]) => {
    const report = await verifyAudit(files.map((lines, index) => file(String(index), lines)));
    return { ...report, lines: report.lines.map((line) => line.replaceAll(`${folder}/`, '')) };
  };
  const lines = chain(5);
  const hash = (line: string | undefined): string =>
    (JSON.parse(line ?? '') as { readonly hash: string }).hash;

  it('has the hash of the documented form', () => {
    const [first = ''] = chain(1);
    expect(Object.keys(JSON.parse(first) as object)).to.deep.equal([
      ...['action', 'actor', 'after', 'at', 'before', 'hash', 'previousHash', 'remoteAddress'],
      ...['sealedAt', 'sequence', 'subject', 'tenantId'],
    ]);
    expect(first).to.contain('"after":{"a":[null,2.5],"b":1}');
  });

  it('accepts a chain, and a later part of one', async () => {
    expect(await verify(lines)).to.deep.equal({
      lines: [
        `5 entries of tenant acme, 1 to 5, from the begin of its chain: the chain is intact; it ends with hash ${hash(lines[4])}`,
      ],
      intact: true,
    });
    const { lines: [text] = [], intact } = await verify(lines.slice(2));
    expect([text?.slice(0, 55), intact]).to.deep.equal([
      '3 entries of tenant acme, 3 to 5, after the hash of ent',
      true,
    ]);
  });

  it('accepts files that continue each other, and no others', async () => {
    expect((await verify(lines.slice(0, 2), lines.slice(2))).intact).to.equal(true);
    expect(await verify(lines.slice(0, 2), lines.slice(3))).to.deep.equal({
      lines: ['1:1: entry 3 is missing', '4 entries of tenant acme, 1 to 5: the chain is broken'],
      intact: false,
    });
  });

  const FAULTS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    [
      'an altered member',
      lines.map((line) => line.replace('"sequence":3', '"actor2":1,"sequence":3')),
      ['0:3: entry 3 was altered: its members do not have the hash of its seal'],
    ],
    ['a line that is missing', lines.filter((_, index) => index !== 1), ['0:2: entry 2 is missing']],
    ['lines that are missing', [lines[0] ?? '', lines[4] ?? ''], ['0:2: entries 2 to 4 are missing']],
    ['a repeated line', [lines[0] ?? '', lines[0] ?? ''], ['0:2: entry 1 follows entry 1']],
    [
      'another chain',
      [lines[0] ?? '', chain(2, 'other')[1] ?? ''],
      ['0:2: entry 2 belongs to tenant other, not acme'],
    ],
    [
      'lines of another form',
      [lines[0] ?? '', '{}', 'x', '[]', 'null', ''],
      [2, 3, 4, 5, 6].map((line) => `0:${String(line)}: the line is not an entry of the audit log`),
    ],
  ];
  it('takes a line for no entry if a member has another form', async () => {
    const [first = ''] = lines;
    const members = JSON.parse(first) as Readonly<Record<string, unknown>>;
    for (const [name, values] of [
      ['hash', [null, 1, 'a', '0'.repeat(63), 'G'.repeat(64)]],
      ['previousHash', [null, 1, '0'.repeat(65)]],
      ['tenantId', [null, 1]],
      ['sealedAt', [null, 1]],
      ['sequence', ['1', 0, -1, 1.5, 2 ** 53, null]],
      ['names', [null, 'a', 1]],
    ] as const)
      for (const value of values) {
        const report = await verify([JSON.stringify({ ...members, [name]: value })]);
        expect(report.lines[0], `${name} ${String(value)}`).to.equal(
          '0:1: the line is not an entry of the audit log',
        );
      }
    for (const other of ['1', 'true', `[${first}]`])
      expect((await verify([other])).lines[0], other).to.equal(
        '0:1: the line is not an entry of the audit log',
      );
  });

  for (const [what, altered, faults] of FAULTS)
    it(`reports ${what}`, async () => {
      const report = await verify(altered);
      expect(report.lines.slice(0, -1)).to.deep.equal(faults);
      expect(report.intact).to.equal(false);
    });

  it('accepts an entry with and without its names, and reports a name of another user', async () => {
    const salt = '07'.repeat(32);
    const pseudonym = `user-${createHash('sha256').update(Buffer.from(salt, 'hex')).update('acme\0ann').digest('hex')}`;
    const [plain = ''] = chain(1);
    const { hash: _hash, ...before } = JSON.parse(plain) as SealedEntry & { readonly hash: string };
    const entry = { ...before, actor: pseudonym };
    const line = (names: KnownNames): string => lineOfEntry({ entry, hash: hashOfEntry(entry), names });
    const named = line({ [pseudonym]: { userId: 'ann', salt } });
    expect(named).to.contain(`"names":{"${pseudonym}":{"salt":"${salt}","userId":"ann"}}`);
    expect((await verify([named])).intact).to.equal(true);
    expect((await verify([line({})])).intact).to.equal(true);
    for (const wrong of [
      named.replace('"ann"', '"eve"'),
      named.replace('0707', '0708'),
      named.replace(`{"salt":"${salt}","userId":"ann"}`, '"ann"'),
    ])
      expect((await verify([wrong])).lines[0]).to.equal(
        `0:1: entry 1 has a name that does not belong to ${pseudonym}`,
      );
  });

  it('reports a first entry that names one before it, and a chain that was written again', async () => {
    const again = chain(5).map((line) => line.replace('"actor":"ann"', '"actor":"eve"'));
    expect((await verify(again)).lines).to.have.lengthOf(6);
    const moved = { ...(JSON.parse(lines[1] ?? '') as SealedEntry & { readonly hash: string }), sequence: 1 };
    const { hash: _hash, ...entry } = moved;
    expect((await verify([lineOfEntry({ entry, hash: hashOfEntry(entry), names: {} })])).lines[0]).to.equal(
      '0:1: entry 1 is the first of the chain, but names an entry before it',
    );
  });

  it('reports deeply nested lines and at most a hundred faults', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const report = await verify([`{"after":${deep}}`, ...Array.from({ length: 150 }, () => 'x')]);
    expect(report.lines).to.have.lengthOf(102);
    expect(report.lines.slice(-2)).to.deep.equal([
      'and 51 more faults',
      'no entries: this is not an export of the audit log',
    ]);
  });

  it('takes files alone', () => {
    expect(readArguments(['audit', 'verify', 'a', 'b'])).to.deep.equal({ name: 'audit', files: ['a', 'b'] });
    for (const args of [['audit'], ['audit', 'verify'], ['audit', 'check', 'a'], ['audit', 'verify', '--x']])
      expect(() => readArguments(args)).to.throw(CommandLineError);
  });
});
