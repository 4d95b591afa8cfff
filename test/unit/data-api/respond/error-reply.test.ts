import { expect } from 'chai';
import { errorReply } from '../../../../src/data-api/respond/error-reply.js';
import type { Reply } from '../../../../src/contract/reply.js';
import { dbrError } from '../../../../src/errors/dbr-error.js';
import { type ErrorStyle, errorStyleOf, SERVICE_STYLE } from '../../../../src/errors/error-style.js';
import {
  ConnectFailed,
  ConnectionLost,
  PoolTimeout,
  PostgresError,
  type ErrorFields,
} from '../../../../src/postgres/postgres-error.js';

const fieldsOf = (fields: Partial<ErrorFields>): ErrorFields => ({
  code: 'XX000',
  message: 'a message',
  detail: null,
  hint: null,
  schema: null,
  table: null,
  column: null,
  constraint: null,
  routine: null,
  context: null,
  ...fields,
});

/** The styles of settings that differ from the defaults. */
const STYLES = {
  12: SERVICE_STYLE,
  16: errorStyleOf('none', { 'compatibility-level': '16', 'client-error-verbosity': 'verbose' }),
  postgrest12: errorStyleOf('postgrest', {
    'compatibility-level': '12',
    'client-error-verbosity': 'verbose',
  }),
  postgrest16: errorStyleOf('postgrest', {
    'compatibility-level': '16',
    'client-error-verbosity': 'minimal',
  }),
} as const;

function replyTo(error: unknown, authenticated = false, style: ErrorStyle = STYLES[12]): Reply {
  const reply = errorReply(error, { authenticated, retryAfterSeconds: 8, style });
  if (reply === null) throw new Error('no reply');
  return reply;
}

const raised = (fields: Partial<ErrorFields>, authenticated = false): Reply =>
  replyTo(new PostgresError(fieldsOf(fields)), authenticated);

function bodyOf({ body }: Reply): unknown {
  if (!Array.isArray(body)) throw new Error('no body in hand');
  return JSON.parse(Buffer.concat(body).toString('utf8'));
}

const headerOf = ({ headers }: Reply, name: string): readonly string[] =>
  headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);

describe('error replies', () => {
  it('have the form of the contract for errors of dbr', () => {
    const reply = replyTo(dbrError('NotSingular', { rows: 3 }));
    expect(reply.status).to.equal(406);
    expect(bodyOf(reply)).to.deep.equal({
      code: 'DBR116',
      message: 'JSON object requested, multiple (or no) rows returned',
      details: 'The result contains 3 rows',
      hint: null,
    });
    expect(headerOf(reply, 'content-type')).to.deep.equal(['application/json; charset=utf-8']);
  });

  it('forward errors of PostgreSQL with the status of their code', () => {
    const reply = raised({ code: '23505', message: 'duplicate', detail: 'Key (id)=(1)', hint: 'another' });
    expect(reply.status).to.equal(409);
    expect(bodyOf(reply)).to.deep.equal({
      code: '23505',
      message: 'duplicate',
      details: 'Key (id)=(1)',
      hint: 'another',
    });
  });

  it('have no text of a system error or an internal one, which the log has, but that of RAISE', () => {
    const texts = { message: 'could not open file "/srv/x"', detail: 'of /srv', hint: 'see /srv' };
    for (const code of ['58P01', 'XX001']) {
      const failure = `${code}: ${texts.message}`;
      const hidden = raised({ code, ...texts, routine: 'BasicOpenFile' });
      expect([hidden.status, hidden.code, hidden.failure]).to.deep.equal([500, code, failure]);
      expect(bodyOf(hidden)).to.deep.equal({
        code,
        message: 'internal error of PostgreSQL',
        details: null,
        hint: null,
      });
      const chosen = raised({ code, ...texts, routine: 'exec_stmt_raise' });
      expect(chosen.failure).to.equal(failure);
      expect(bodyOf(chosen)).to.deep.equal({
        code,
        message: texts.message,
        details: texts.detail,
        hint: texts.hint,
      });
    }
  });

  it('distinguish a missing privilege from a missing identity', () => {
    const anonymous = raised({ code: '42501' });
    expect(anonymous.status).to.equal(401);
    expect(headerOf(anonymous, 'www-authenticate')).to.deep.equal(['Bearer']);
    expect(raised({ code: '42501' }, true).status).to.equal(403);
  });

  describe('of PT<nnn>', () => {
    it('have that status, and the message as reason phrase', () => {
      const reply = raised({ code: 'PT402', message: 'Payment, please' });
      expect(reply).to.include({ status: 402, reason: 'Payment, please' });
      expect(bodyOf(reply)).to.include({ code: 'PT402' });
    });

    it('have a failure for the log from status 500 on', () => {
      for (const [code, status, failure] of [
        ['PT200', 200, undefined],
        ['PT499', 499, undefined],
        ['PT500', 500, 'PT500: a message'],
        ['PT999', 999, 'PT999: a message'],
      ] as const) {
        const reply = raised({ code });
        expect([reply.status, reply.failure], code).to.deep.equal([status, failure]);
      }
    });

    it('have status 500 if nnn is not a final status', () => {
      for (const code of ['PT101', 'PT000', 'PT199']) expect(raised({ code }).status, code).to.equal(500);
    });

    it('are ordinary errors without three digits: 400 with the standard reason phrase', () => {
      for (const code of ['PTABC', 'PT40X', 'PT 40', 'PT3e2', 'PT4040']) {
        const reply = raised({ code, message: 'Not this' });
        expect(reply.status, code).to.equal(400);
        expect(reply, code).not.to.have.property('reason');
        expect(bodyOf(reply)).to.include({ code, message: 'Not this' });
      }
    });

    it('cannot break the status line', () => {
      expect(raised({ code: 'PT400', message: 'a\r\nSet-Cookie: x\0é€' }).reason).to.equal(
        `a  Set-Cookie: x ${Buffer.from('é€').toString('latin1')}`,
      );
      expect(raised({ code: 'PT400', message: 'x'.repeat(5000) }).reason).to.have.length(200);
    });
  });

  describe('of errors that define the response', () => {
    const message = '{"code":"TEA","message":"short","details":"stout"}';

    it('have the status, reason, headers and body that the function sets', () => {
      const detail = '{"status":418,"status_text":"Teapot","headers":{"X-Brew":"earl grey"}}';
      const reply = raised({ code: 'DBR00', message, detail });
      expect(reply).to.include({ status: 418, reason: 'Teapot' });
      expect(headerOf(reply, 'x-brew')).to.deep.equal(['earl grey']);
      expect(bodyOf(reply)).to.deep.equal({ code: 'TEA', message: 'short', details: 'stout', hint: null });
    });

    it('have a status of 200 to 999', () => {
      const statusOf = (status: unknown): number =>
        raised({ code: 'DBR00', message, detail: JSON.stringify({ status, headers: {} }) }).status;
      expect([200, 599, 999].map(statusOf)).to.deep.equal([200, 599, 999]);
      for (const status of [199, 1000, '200', null, 200.5, -200])
        expect(statusOf(status), String(status)).to.equal(500);
    });

    it('have details and a hint that are texts or null', () => {
      const codeOf = (more: object): unknown => {
        const detail = '{"status":400,"headers":{}}';
        const reply = raised({
          code: 'DBR00',
          message: JSON.stringify({ code: 'A', message: 'b', ...more }),
          detail,
        });
        return (bodyOf(reply) as { readonly code: string }).code;
      };
      for (const more of [{}, { details: null, hint: null }, { details: 'c', hint: 'd' }])
        expect(codeOf(more)).to.equal('A');
      for (const more of [{ details: 1 }, { hint: 1 }, { details: 1, hint: 'd' }, { details: 'c', hint: {} }])
        expect(codeOf(more)).to.equal('DBR121');
    });

    it('have any SQLSTATE that begins with DBR, or PGRST with its codes', () => {
      const detail = '{"status":418,"headers":{}}';
      const statusOf = (code: string, style: ErrorStyle): number =>
        replyTo(new PostgresError(fieldsOf({ code, message, detail })), false, style).status;
      for (const code of ['DBR00', 'DBRXY']) expect(statusOf(code, STYLES[12]), code).to.equal(418);
      expect(statusOf('PGRST', STYLES[12])).not.to.equal(418);
      for (const code of ['PGRST', 'DBR01']) expect(statusOf(code, STYLES.postgrest12), code).to.equal(418);
    });

    it('have the headers of the function instead of those of dbr', () => {
      const detail = '{"status":418,"headers":{"content-type":"application/problem+json","X-Brew":"mint"}}';
      expect(raised({ code: 'DBR00', message, detail }).headers).to.deep.equal([
        ['content-type', 'application/problem+json'],
        ['X-Brew', 'mint'],
      ]);
    });

    const BROKEN: readonly (readonly [why: string, fields: Partial<ErrorFields>, details: string])[] = [
      ['no JSON', { message: 'x', detail: '{}' }, `Invalid JSON value for MESSAGE: 'x'`],
      ['no code', { message: '{"message":"m"}', detail: '{}' }, 'Invalid JSON value for MESSAGE'],
      ['a code of another type', { message: '{"code":1,"message":"m"}' }, 'Invalid JSON value for MESSAGE'],
      ['an array', { message: '[]' }, 'Invalid JSON value for MESSAGE'],
      ['no DETAIL', { message }, 'DETAIL is missing in the RAISE statement'],
      ['no status', { message, detail: '{"headers":{}}' }, 'Invalid JSON value for DETAIL'],
      ['no headers', { message, detail: '{"status":400}' }, 'Invalid JSON value for DETAIL'],
      [
        'a broken status',
        { message, detail: '{"status":4.5,"headers":{}}' },
        'Invalid JSON value for DETAIL',
      ],
      [
        'an interim status',
        { message, detail: '{"status":100,"headers":{}}' },
        'Invalid JSON value for DETAIL',
      ],
      ['a header of another type', { message, detail: '{"status":400,"headers":{"a":1}}' }, 'for DETAIL'],
      [
        'a header that forges another',
        { message, detail: '{"status":400,"headers":{"a":"b\\r\\nc: d"}}' },
        'for DETAIL',
      ],
      [
        'a header of the framing',
        { message, detail: '{"status":400,"headers":{"Content-Length":"1"}}' },
        'for DETAIL',
      ],
    ];
    for (const [why, fields, details] of BROKEN) {
      it(`are DBR121 for ${why}`, () => {
        const reply = raised({ code: 'DBR00', ...fields });
        expect(reply.status).to.equal(500);
        const body = bodyOf(reply);
        expect(body).to.include({ code: 'DBR121' });
        expect(JSON.stringify(body)).to.contain(details.replaceAll('"', '\\"'));
      });
    }
  });

  it('have Retry-After if the database is unavailable', () => {
    for (const [error, code, status] of [
      [new ConnectFailed('connection refused', null), 'DBR000', 503],
      [new ConnectionLost('terminated', true), 'DBR001', 503],
      [dbrError('SchemaCacheNotLoaded'), 'DBR002', 503],
      [new PostgresError(fieldsOf({ code: '53300' })), '53300', 503],
    ] as const) {
      const reply = replyTo(error);
      expect(reply.status).to.equal(status);
      expect(bodyOf(reply)).to.include({ code });
      expect(headerOf(reply, 'retry-after')).to.deep.equal(['8']);
    }
    expect(replyTo(new PoolTimeout('')).status).to.equal(504);
  });

  it('name their code in Proxy-Status from release 16 on', () => {
    const statusOf = (error: unknown, style: ErrorStyle) =>
      headerOf(replyTo(error, true, style), 'proxy-status');
    const own = dbrError('NotSingular', { rows: 3 });
    const timeout = new PostgresError(fieldsOf({ code: '57014' }));
    expect(statusOf(own, STYLES[12])).to.deep.equal([]);
    expect(statusOf(own, STYLES.postgrest12)).to.deep.equal([]);
    expect(statusOf(own, STYLES[16])).to.deep.equal(['dbr; error=DBR116']);
    expect(statusOf(own, STYLES.postgrest16)).to.deep.equal(['PostgREST; error=PGRST116']);
    expect(statusOf(timeout, STYLES[16])).to.deep.equal(['dbr; error=57014']);
    const raisedWith = (code: string) =>
      new PostgresError(
        fieldsOf({
          code: 'DBR00',
          message: JSON.stringify({ code, message: 'no' }),
          detail: JSON.stringify({ status: 402, headers: {} }),
        }),
      );
    expect(statusOf(raisedWith('unpaid'), STYLES[16])).to.deep.equal(['dbr; error=unpaid']);
    for (const code of ['two words', 'a;b=c', 'a\r\nB: c', '"', '', 'naïve', '123'])
      expect(statusOf(raisedWith(code), STYLES[16]), code).to.deep.equal([]);
  });

  it('have code and message alone if details may not be shown', () => {
    const minimal = STYLES.postgrest16;
    const duplicate = fieldsOf({ code: '23505', message: 'duplicate', detail: 'Key (id)=(1)', hint: 'x' });
    expect(bodyOf(replyTo(new PostgresError(duplicate), true, minimal))).to.deep.equal({
      code: '23505',
      message: 'duplicate',
    });
    expect(bodyOf(replyTo(dbrError('NotSingular', { rows: 3 }), true, minimal))).to.deep.equal({
      code: 'PGRST116',
      message: 'JSON object requested, multiple (or no) rows returned',
    });
  });

  it('are 401 for a role that does not exist, from release 16 on', () => {
    const refused = (message: string, style: ErrorStyle) =>
      replyTo(new PostgresError(fieldsOf({ code: '22023', message })), true, style);
    expect(refused('role "nobody" does not exist', STYLES[12]).status).to.equal(400);
    const reply = refused('role "nobody" does not exist', STYLES[16]);
    expect([reply.status, headerOf(reply, 'www-authenticate')]).to.deep.equal([401, ['Bearer']]);
    expect(refused('invalid value for parameter "TimeZone": "x"', STYLES[16]).status).to.equal(400);
  });

  it('are not built for internal faults', () => {
    const context = { authenticated: true, retryAfterSeconds: 1, style: STYLES[12] };
    expect(errorReply(new TypeError('x'), context)).to.equal(null);
  });
});
