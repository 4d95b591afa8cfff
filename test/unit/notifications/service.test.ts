import { expect } from 'chai';
import { tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import type { Principal } from '../../../src/contract/principal.js';
import { DbrError } from '../../../src/errors/dbr-error.js';
import {
  categoriesText,
  digestOf,
  draftOf,
  listQueryOf,
  messageChangeOf,
  messageOf,
  readerOf,
  resumeFrom,
  earlyOf,
  namedOf,
  quietHoursOf,
  requireNamed,
  scheduleOf,
} from '../../../src/notifications/service.js';
import { positionText } from '../../../src/postgres/event-position.js';

const principal = (more: Partial<Principal> = {}): Principal => ({
  tenantId: tenantIdOf('acme'),
  userId: userIdOf('ann'),
  scopes: null,
  tenants: null,
  expiresAt: null,
  authenticatedAt: null,
  ...more,
});
const ID = '0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f23';
const base = { limit: 50, offset: 0, status: 'all', archived: 'exclude', snoozed: 'exclude' } as const;
const content = { type: 'report.ready', title: 'T' } as const;

/** The name of the error that `work` raises. */
function nameOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof DbrError ? error.name : String(error);
  }
  return 'none';
}

describe('interpretation of notification requests', () => {
  it('reads for the user of the token', () => {
    expect(readerOf(principal())).to.deep.equal({ tenantId: 'acme', userId: 'ann' });
    expect(nameOf(() => readerOf(principal({ userId: userIdOf('a\0') })))).to.equal('AuthInvalid');
    expect(nameOf(() => readerOf(principal({ tenantId: tenantIdOf('\0') })))).to.equal('AuthInvalid');
  });

  it('accepts only cursors that the service issued', () => {
    expect(listQueryOf({ ...base, cursor: 'MTAyNA' }).below).to.equal('1024');
    expect(listQueryOf(base).below).to.equal(null);
    for (const cursor of ['', 'abc', 'LTE', Buffer.from('1'.repeat(19)).toString('base64url')]) {
      expect(
        nameOf(() => listQueryOf({ ...base, cursor })),
        cursor,
      ).to.equal('InvalidParameter');
    }
    expect(nameOf(() => listQueryOf({ ...base, cursor: 'MTAyNA', offset: 1 }))).to.equal('InvalidParameter');
  });

  it('refuses quiet hours without length', () => {
    const request = (starts: string, ends: string) => ({
      path: { channel: 'inApp' as const },
      query: {},
      headers: {},
      body: { timeZone: 'UTC', starts, ends },
    });
    expect(quietHoursOf(request('22:00', '07:00'))).to.deep.equal({
      channel: 'inApp',
      timeZone: 'UTC',
      starts: '22:00',
      ends: '07:00',
    });
    expect(nameOf(() => quietHoursOf(request('07:00', '07:00')))).to.equal('InvalidBody');
  });

  it('selects all notifications only if identifiers are absent', () => {
    expect(namedOf({})).to.equal(null);
    expect(namedOf({ before: '2026-03-01T10:30:00.5+01:00' })).to.equal(null);
    expect(earlyOf({})).to.deep.equal({ before: null });
    expect(earlyOf({ before: '2026-03-01T10:30:00.5+01:00' })).to.deep.equal({
      before: '2026-03-01T09:30:00.500Z',
    });
    expect(namedOf({ notificationId: ID })).to.deep.equal({ known: [ID], ids: [ID], isOne: true });
    expect(namedOf({ notificationIds: [ID.toUpperCase(), 'x'] })).to.deep.equal({
      known: [ID],
      ids: [ID.toUpperCase(), 'x'],
      isOne: false,
    });
    expect(nameOf(() => earlyOf({ before: '0000-12-31T00:00:00Z' }))).to.equal('InvalidBody');
    const before = '2026-03-01T09:30:00Z';
    for (const [body, path, problem] of [
      [{ notificationId: ID, before }, '/before', 'cannot be used together with notificationId'],
      [{ notificationIds: [ID], before }, '/before', 'cannot be used together with notificationIds'],
      [
        { notificationId: ID, notificationIds: [ID] },
        '/notificationIds',
        'cannot be used together with notificationId',
      ],
    ] as const)
      expect(() => namedOf(body))
        .to.throw(DbrError)
        .with.deep.property('problems', [{ path, code: 'exclusive', message: problem }]);
    expect(nameOf(() => requireNamed({}))).to.equal('InvalidBody');
  });

  it('filters by data that jsonb can hold', () => {
    const filter = (data: string): string | null =>
      listQueryOf({ limit: 1, offset: 0, status: 'all', archived: 'exclude', snoozed: 'exclude', data }).data;
    for (const data of [' { "a": [1, {"b": null}] } ', '{"a":9007199254740993}', '{"a":1e400,"b":"1e9999"}'])
      expect(filter(data)).to.equal(data);
    expect(filter(String.raw`{"a":"\u0000","a":"\uD83D\uDE00"}`)).to.equal('{"a":"😀"}');
    expect(filter(String.raw`{"a":"\\u0000"}`)).to.equal(String.raw`{"a":"\\u0000"}`);
    for (const data of [
      '[]',
      'null',
      '7',
      '{',
      '{}{}',
      String.raw`{"a":"\u0000"}`,
      String.raw`{"a":"\ud800"}`,
      String.raw`{"\u0000":1}`,
      '{"a":1e200000}',
      '{"a":[-1E-20000]}',
    ])
      expect(
        nameOf(() => filter(data)),
        data,
      ).to.equal('InvalidParameter');
  });

  it('fills a draft with defaults', () => {
    expect(draftOf({ ...content, userIds: ['a'] }, principal())).to.deep.equal({
      tenantId: 'acme',
      userIds: ['a'],
      type: 'report.ready',
      title: 'T',
      category: 'general',
      severity: 'info',
      body: null,
      data: '{}',
      actor: null,
      actionUrl: null,
      groupKey: null,
      dedupeKey: null,
      expiresAt: null,
    });
    expect(draftOf({ ...content, audience: 'tenant' }, principal()).userIds).to.equal(null);
  });

  it('lets a token name another tenant only with the scope for it', () => {
    const body = { ...content, userIds: ['a'], tenantId: 'other' };
    expect(nameOf(() => draftOf(body, principal()))).to.equal('Forbidden');
    expect(nameOf(() => draftOf(body, principal({ scopes: new Set(['notifications:write']) })))).to.equal(
      'Forbidden',
    );
    const scopes = new Set(['notifications:write-any']);
    expect(draftOf(body, principal({ scopes })).tenantId).to.equal('other');
  });

  it('lets the scope for other tenants reach those of the issuer alone', () => {
    const scopes = new Set(['notifications:write-any']);
    const bound = principal({ scopes, tenants: new Set(['acme', 'other']) });
    const named = (tenantId: string) => ({ ...content, userIds: ['a'], tenantId });
    expect(draftOf(named('other'), bound).tenantId).to.equal('other');
    expect(nameOf(() => draftOf(named('third'), bound))).to.equal('Forbidden');
    expect(nameOf(() => messageOf(ID, bound, 'third'))).to.equal('Forbidden');
  });

  it('bounds data by its bytes', () => {
    const bodyOf = (length: number) => ({ ...content, userIds: ['a'], data: { a: 'ä'.repeat(length) } });
    expect(draftOf(bodyOf(8188), principal()).data).to.have.length(8196);
    expect(nameOf(() => draftOf(bodyOf(8189), principal()))).to.equal('InvalidBody');
  });

  it('takes action URLs that are relative, or of http or https', () => {
    const urlOf = (actionUrl: string) =>
      draftOf({ ...content, userIds: ['a'], actionUrl }, principal()).actionUrl;
    for (const url of [
      '/sessions/1',
      'sessions/1?a=b:c#d',
      './a:b',
      '?next=https://example.com/',
      '#part',
      'https://example.com',
      'HTTP://example.com:8080/a?b=//c',
      '/ä',
    ])
      expect(urlOf(url), url).to.equal(url);
    for (const url of [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'java\nscript:alert(1)',
      '\tjavascript:alert(1)',
      ' javascript:alert(1)',
      '\u0001javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'mailto:a@b',
      'ftp://example.com/',
      '//example.com',
      '//page.invalid/x',
      ':!',
      '1:x',
      '/\\example.com',
      '\\\\example.com',
      '/\t/example.com',
      'https:example.com',
      'https:/example.com',
      'https:///example.com',
      'https://',
      'https://exa mple.com/',
      'https://example.com:99999/',
      'http://[::1',
      '/a b',
      '/a\u00a0b',
      '/a\u2028b',
    ])
      expect(
        nameOf(() => urlOf(url)),
        JSON.stringify(url),
      ).to.equal('InvalidBody');
  });

  it('refuses text that the database cannot store, in every member', () => {
    for (const member of ['title', 'body', 'category', 'actionUrl', 'groupKey', 'dedupeKey', 'tenantId']) {
      const body = { ...content, userIds: ['a'], [member]: 'a\0b' };
      const scopes = new Set(['notifications:write-any']);
      expect(
        nameOf(() => draftOf(body, principal({ scopes }))),
        member,
      ).to.equal('InvalidBody');
    }
    expect(nameOf(() => draftOf({ ...content, userIds: ['a', '\0'] }, principal()))).to.equal('InvalidBody');
    expect(nameOf(() => categoriesText({ 'a\0': { inApp: true } }))).to.equal('InvalidBody');
    expect(categoriesText({ a: { inApp: true } })).to.equal('{"a":{"inApp":true}}');
  });

  it('accepts only positions that the service issued', () => {
    expect(resumeFrom(undefined)).to.equal(null);
    const position = { xid: '123', eventId: '45', open: [{ xid: '99', eventId: '0' }] };
    expect(resumeFrom(positionText(position))).to.deep.equal(position);
    for (const text of [
      '',
      '1',
      '1.',
      '.1',
      '1.2.3',
      '-1.1',
      '1e3.1',
      `${'1'.repeat(19)}.1`,
      '9.1-',
      '9.1-0',
      '9.1-9',
      '9.1-1.',
      '9.1--1',
    ]) {
      expect(
        nameOf(() => resumeFrom(text)),
        text,
      ).to.equal('InvalidParameter');
    }
  });

  it('takes a time with a key, before the expiry and without a digest', () => {
    const sendAt = '2030-01-01T01:00:00+01:00';
    const body = { ...content, userIds: ['a'] };
    expect(scheduleOf(body)).to.equal(null);
    const at = { sendAt: '2030-01-01T00:00:00.000Z', cancelKey: null };
    expect(scheduleOf({ ...body, sendAt })).to.deep.equal(at);
    expect(scheduleOf({ ...body, sendAt, cancelKey: 'k' })).to.deep.equal({ ...at, cancelKey: 'k' });
    expect(scheduleOf({ ...body, sendAt, expiresAt: '2030-01-01T00:00:00.001Z' })).to.deep.equal(at);
    for (const wrong of [
      { cancelKey: 'k' },
      { sendAt, cancelKey: 'a\0' },
      { sendAt: 'soon' },
      { sendAt, expiresAt: at.sendAt },
      { sendAt, digest: { key: 'k', windowSeconds: 60 } },
    ])
      expect(nameOf(() => scheduleOf({ ...body, ...wrong }))).to.equal('InvalidBody');
  });

  it('takes the window of a digest, which does not slide unless it says so', () => {
    const body = { ...content, userIds: ['a'] };
    expect(digestOf(body)).to.equal(null);
    expect(digestOf({ ...body, digest: { key: 'k', windowSeconds: 60 } })).to.deep.equal({
      key: 'k',
      windowSeconds: 60,
      sliding: false,
    });
    expect(digestOf({ ...body, digest: { key: 'k', windowSeconds: 60, sliding: true } })?.sliding).to.equal(
      true,
    );
    expect(nameOf(() => digestOf({ ...body, digest: { key: 'a\0', windowSeconds: 60 } }))).to.equal(
      'InvalidBody',
    );
  });

  it('names a message of the own tenant, or of another one with the scope for it', () => {
    expect(messageOf(ID, principal(), undefined)).to.deep.equal({ tenantId: 'acme', messageId: ID });
    expect(messageOf(ID, principal(), 'acme')).to.deep.equal({ tenantId: 'acme', messageId: ID });
    expect(nameOf(() => messageOf('x', principal(), undefined))).to.equal('MessageNotFound');
    expect(nameOf(() => messageOf(ID, principal(), 'other'))).to.equal('Forbidden');
    expect(nameOf(() => messageOf(ID, principal(), 'a\0'))).to.equal('InvalidParameter');
    expect(nameOf(() => messageOf(ID, principal({ userId: userIdOf('\0') }), undefined))).to.equal(
      'AuthInvalid',
    );
    const scopes = new Set(['notifications:write-any']);
    expect(messageOf(ID, principal({ scopes }), 'other').tenantId).to.equal('other');
  });

  it('changes the members that are named, also to null', () => {
    expect(messageChangeOf({})).to.deep.equal({});
    expect(messageChangeOf({ body: null, actor: null, actionUrl: null, expiresAt: null })).to.deep.equal({
      body: null,
      actor: null,
      actionUrl: null,
      expiresAt: null,
    });
    expect(
      messageChangeOf({
        title: 'a',
        body: 'b',
        severity: 'warning',
        data: { a: 1 },
        actor: { type: 'user', id: 'x', name: null },
        actionUrl: '/x',
        expiresAt: '2030-01-01T01:00:00+01:00',
      }),
    ).to.deep.equal({
      title: 'a',
      body: 'b',
      severity: 'warning',
      data: '{"a":1}',
      actor: '{"type":"user","id":"x","name":null}',
      actionUrl: '/x',
      expiresAt: '2030-01-01T00:00:00.000Z',
    });
    for (const body of [
      { title: 'a\0' },
      { body: 'a\0' },
      { data: { a: 'x'.repeat(20_000) } },
      { actionUrl: '//other.example/' },
      { expiresAt: '0000-01-01T00:00:00Z' },
    ])
      expect(
        nameOf(() => messageChangeOf(body)),
        JSON.stringify(body).slice(0, 40),
      ).to.equal('InvalidBody');
  });
});

describe('the bounds of notification requests', () => {
  const problemOf = (work: () => unknown): unknown => {
    try {
      work();
    } catch (error) {
      return error instanceof DbrError
        ? [error.name, error.problems?.[0]?.path ?? null, error.problems?.[0]?.code ?? null]
        : error;
    }
    return null;
  };

  it('refuses filters that the database cannot store', () => {
    for (const filter of [
      { category: ['b', 'a\0'] },
      { type: ['a\0'] },
      { data: '{"a":"\0"}' },
      { data: '\0' },
    ])
      expect(
        nameOf(() => listQueryOf({ ...base, ...filter })),
        JSON.stringify(filter),
      ).to.equal('InvalidParameter');
    expect(listQueryOf({ ...base, category: ['c', 'd'], type: ['t'] })).to.deep.include({
      categories: ['c', 'd'],
      types: ['t'],
      severity: null,
    });
    expect(listQueryOf(base)).to.deep.include({ categories: [], types: [], data: null });
  });

  it('takes times of the years 1 to 9999', () => {
    const expiresAt = (text: string) => messageChangeOf({ expiresAt: text }).expiresAt;
    expect(expiresAt('0001-01-01T00:00:00Z')).to.equal('0001-01-01T00:00:00.000Z');
    expect(expiresAt('9999-12-31T23:59:59.999Z')).to.equal('9999-12-31T23:59:59.999Z');
    for (const text of [
      '0000-12-31T23:59:59Z',
      '0001-01-01T00:00:00+01:00',
      '9999-12-31T23:59:59-01:00',
      'soon',
    ])
      expect(
        problemOf(() => expiresAt(text)),
        text,
      ).to.deep.equal(['InvalidBody', '/expiresAt', 'time']);
  });

  it('takes an expiry in the future alone', () => {
    const expiresAt = (time: number) =>
      draftOf({ ...content, userIds: ['a'], expiresAt: new Date(time).toISOString() }, principal()).expiresAt;
    const later = Date.now() + 60_000;
    expect(expiresAt(later)).to.equal(new Date(later).toISOString());
    expect(problemOf(() => expiresAt(Date.now()))).to.deep.equal(['InvalidBody', '/expiresAt', 'range']);
  });

  it('has a digest if the body has one', () => {
    const digest = { key: 'k', windowSeconds: 60 };
    const body = { ...content, userIds: ['a'] };
    expect(digestOf(body)).to.equal(null);
    expect(digestOf({ ...body, digest })).to.deep.equal({ ...digest, sliding: false });
    expect(digestOf({ ...body, digest: { ...digest, sliding: true } })).to.deep.equal({
      ...digest,
      sliding: true,
    });
    expect(problemOf(() => digestOf({ ...body, digest: { ...digest, key: 'a\0' } }))).to.include(
      'InvalidBody',
    );
  });

  it('refuses quiet hours that the database cannot store', () => {
    const hours = (timeZone: string) =>
      quietHoursOf({
        path: { channel: 'inApp' },
        query: {},
        headers: {},
        body: { timeZone, starts: '22:00', ends: '07:00' },
      });
    expect(hours('UTC')).to.include({ timeZone: 'UTC' });
    expect(nameOf(() => hours('a\0'))).to.equal('InvalidBody');
  });
});
