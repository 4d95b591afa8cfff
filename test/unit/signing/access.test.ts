import { expect } from 'chai';
import type { Caller } from '../../../src/auth/caller.js';
import { DbrError } from '../../../src/errors/dbr-error.js';
import { actorOf, demandConfigure, refuseUnstorable } from '../../../src/signing/access.js';
import { demandVersion } from '../../../src/signing/versions.js';
import { decodeCursor, encodeCursor } from '../../../src/operations/cursor.js';
import { identifierOf, uuidV7 } from '../../../src/operations/uuid.js';

const caller = (more: Partial<Caller> = {}): Caller => ({
  tenantId: 'acme',
  userId: 'ann',
  scopes: null,
  expiresAt: null,
  authenticatedAt: null,
  ...more,
});
const nameOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof DbrError) return error.name;
    throw error;
  }
  return 'allowed';
};

describe('who may configure who signs', () => {
  const configure = (given: Partial<Caller>, recent: number | null = null): string =>
    nameOf(() => {
      demandConfigure(caller(given), 'ann', recent, 1_000_000);
    });

  it('is the owner, with the scope where the token has scopes, and the administrator', () => {
    expect(configure({})).to.equal('allowed');
    expect(configure({ scopes: new Set() })).to.equal('Forbidden');
    expect(configure({ scopes: new Set(['signing-config:write']) })).to.equal('allowed');
    expect(configure({ userId: 'bob', scopes: new Set(['signing-config:write']) })).to.equal('Forbidden');
    expect(configure({ userId: 'bob', scopes: new Set(['tenant:admin']) })).to.equal('allowed');
  });

  it('must have authenticated lately, where the settings say so', () => {
    expect(configure({}, 900)).to.equal('Forbidden');
    expect(configure({ authenticatedAt: 99_999 }, 900)).to.equal('Forbidden');
    expect(configure({ authenticatedAt: 100_000 }, 900)).to.equal('allowed');
    const admin = { userId: 'bob', scopes: new Set(['tenant:admin']) };
    expect(configure(admin, 900)).to.equal('Forbidden');
  });
});

describe('what the database cannot hold', () => {
  it('is refused wherever it stands, by its place', () => {
    for (const [value, place] of [
      [{ name: 'a\0' }, '/name'],
      [{ metadata: { 'a/b': ['\ud800'] } }, '/metadata/a~1b/0'],
    ] as const) {
      try {
        refuseUnstorable(value);
        expect.fail('it was let through');
      } catch (error) {
        expect(error).to.have.nested.property('problems[0].path', place);
      }
    }
    expect(nameOf(() => actorOf(caller({ userId: '\0' }), ''))).to.equal('AuthInvalid');
    refuseUnstorable({ name: 'whole 😀', list: [null, 1, true] });
  });
});

describe('versions', () => {
  it('match by what stands before the hyphen, strongly', () => {
    const matches = (header: string | undefined): string =>
      nameOf(() => {
        demandVersion(header, 3);
      });
    for (const header of [undefined, '*', '"3"', '"3-0af1"', '"1", "3"'])
      expect(matches(header)).to.equal('allowed');
    for (const header of ['"30"', 'W/"3"', '3', '', '"1"', '"x-3"'])
      expect(matches(header), header).to.equal('VersionMismatch');
  });
});

describe('cursors and identifiers', () => {
  it('come back as they went', () => {
    expect(decodeCursor(encodeCursor(['a', '1']), [/^a$/, /^\d$/])).to.deep.equal(['a', '1']);
    for (const odd of [
      '',
      '####',
      encodeCursor(['a']),
      encodeCursor(['a', 'b']),
      Buffer.from('{}').toString('base64url'),
    ])
      expect(nameOf(() => decodeCursor(odd, [/^a$/, /^\d$/]))).to.equal('InvalidParameter');
  });

  it('are of version 7, in the order of time', () => {
    const [early, late] = [uuidV7(1000), uuidV7(2000)];
    expect(early < late).to.equal(true);
    expect(early).to.match(/^00000000-03e8-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(identifierOf(early.toUpperCase())).to.equal(early);
    expect(identifierOf(`${early} `)).to.equal(null);
  });
});
