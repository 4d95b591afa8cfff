import { expect } from 'chai';
import { withSession } from '../../../src/postgres/session.js';
import { backendMessage, dataRow, int16, int32 } from '../../support/postgres/backend-messages.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { openRelay, type Relay } from '../../support/postgres/relay.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

/** Changes bytes of a message. */
const changed =
  (at: number, bytes: Buffer) =>
  (message: Buffer): Buffer => {
    const copy = Buffer.from(message);
    bytes.copy(copy, at);
    return copy;
  };

/** A message, the length of which counts everything behind the type. */
const ROWS: readonly (readonly [string, (message: Buffer) => Buffer])[] = [
  ['one column more', changed(5, int16(9))],
  ['one column less', changed(5, int16(3))],
  ['a negative number of columns', changed(5, int16(-1))],
  ['other columns than were asked for', () => dataRow('1', '[]')],
  ['a value longer than the row', changed(7, int32(1000))],
  ['a length that cannot be', changed(1, int32(2))],
  ['a length of 2 GB', changed(1, int32(0x7fff_ffff))],
  ['a type that does not exist', changed(0, Buffer.from([0xff]))],
  ['noise', () => Buffer.from('\u0001\u0002\u0003 this is not PostgreSQL at all, but something else')],
  ['nothing, and the end of the statement', () => Buffer.alloc(0)],
  ['a count that is no number', () => dataRow('x', null, null, '[]')],
  [
    'an answer more',
    (message) =>
      Buffer.concat([
        message,
        backendMessage('C', Buffer.from('X\0')),
        backendMessage('C', Buffer.from('X\0')),
        message,
      ]),
  ],
];

describe('malformed messages of the database', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let proxy: AlteringProxy;
  let service: TestService;

  before(async () => {
    database = await createTestDatabase();
    await withSession(database.uri, (session) =>
      session.script('create table public.films (id int primary key); insert into public.films values (1)'),
    );
    proxy = await openAlteringProxy(database.uri);
    service = await startTestService({ 'db-uri': proxy.uri, 'db-anon-role': 'postgres', areas: 'data-api' });
    await untilReady(service);
  });
  after(async () => {
    await service.stop();
    await proxy.close();
    await database.drop();
  });

  for (const [what, alter] of ROWS) {
    it(`${what}: DBRX00, and the next request is answered`, async () => {
      // The name of the member finds the row of the main statement.
      proxy.alterNext('D', `"${what}"`, alter);
      const first = await fetch(`${service.url}/films?select=${encodeURIComponent(`"${what}":id`)}`);
      expect(proxy.hasAltered).to.equal(true);
      const body = (await first.json()) as Record<string, unknown>;
      expect([first.status, body['code'], body['details'], body['hint']]).to.deep.equal([
        500,
        'DBRX00',
        null,
        null,
      ]);
      expect(body['message']).to.match(/^malformed answer of the database: /);
      const second = await fetch(`${service.url}/films`);
      expect([second.status, await second.json()]).to.deep.equal([200, [{ id: 1 }]]);
    });
  }

  /** A new connection of the pool can have received an altered message, too: the pool opens the next one after a second. */
  async function statusOfRead(): Promise<number> {
    let status = 0;
    await until(async () => {
      const response = await fetch(`${service.url}/films`);
      status = response.status;
      return !(await response.text()).includes('"DBR000"');
    });
    return status;
  }

  it('during a schema reload: the old schema cache stays in use, and the next reload succeeds', async () => {
    const loads = (): number => service.logs.filter((line) => line.includes('schema cache loaded')).length;
    const failures = (): number =>
      service.logs.filter((line) => line.includes('the schema cache cannot be loaded')).length;
    for (const [type, alter] of [
      ['T', changed(5, int16(-1))],
      ['T', changed(5, int16(900))],
      ['D', changed(5, int16(-1))],
      ['Z', () => Buffer.from('not of this protocol')],
    ] as const) {
      const failed = failures();
      let loaded = loads();
      // A connection of the pool that opens at this moment can receive the message in place of the reload.
      while (failures() === failed) {
        if (proxy.hasAltered) {
          loaded = loads();
          proxy.alterNext(type, '', alter);
          service.reloadSchema();
        }
        await until(() => failures() > failed || (proxy.hasAltered && loads() > loaded));
      }
      loaded = loads();
      expect(await statusOfRead(), 'meanwhile').to.equal(200);
      await until(() => loads() > loaded);
    }
  });
});

/** A proxy to PostgreSQL that alters messages of the server. */
interface AlteringProxy extends Relay {
  /** Alters the next message of the server that has this type and contains the text. */
  alterNext(type: string, text: string, alter: (message: Buffer) => Buffer): void;
  /** Whether the alteration has been made. */
  readonly hasAltered: boolean;
}

interface Alteration {
  readonly type: number;
  readonly text: string;
  readonly alter: (message: Buffer) => Buffer;
}

async function openAlteringProxy(serverUri: string): Promise<AlteringProxy> {
  let due: Alteration | null = null;

  /** Passes whole messages on, one of them altered. */
  const altering = (send: (bytes: Buffer) => void) => {
    let rest = Buffer.alloc(0);
    return (chunk: Buffer): void => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5) {
        const end = 1 + rest.readUInt32BE(1);
        if (end > rest.length) return;
        const message = rest.subarray(0, end);
        rest = rest.subarray(end);
        if (due !== null && message[0] === due.type && message.includes(due.text)) {
          const { alter } = due;
          due = null;
          send(alter(message));
        } else send(message);
      }
    };
  };

  const relay = await openRelay(serverUri, { fromServer: altering });
  return {
    ...relay,
    alterNext(type, text, alter) {
      due = { type: type.charCodeAt(0), text, alter };
    },
    get hasAltered() {
      return due === null;
    },
  };
}
