/** No message of a party holds the event loop of the router for long, in processor time of the main thread. */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import type { ClientHttp2Session } from 'node:http2';
import { tokenCredentials } from '../../../examples/parties/router-client.js';
import { RouterService } from '../../../generated/proto/router/v1/router_pb.js';
import { beginCall, message, openSession } from '../../support/router/raw-http2.js';
import {
  createRouterProcesses,
  type RouterProcess,
  type RouterProcesses,
} from '../../support/router/router-processes.js';
import { some } from '../../support/runs.js';
import { PROBED, probed, type ProbedService } from '../../support/service/turns.js';

/** Largest message, less than the limit of gRPC by the head of the message. */
const BYTES = 4_194_300;
const MOST_MS = 25;
/** The control takes as long on two cores under load; a slower machine has proportionally more. */
const CONTROL_MS = 7;
const TRIES = 5;
/** OK, and the status of a message that cannot be, of a session that does not exist, and of a call that lasts. */
const EXPECTED: ReadonlySet<number | null> = new Set([
  status.OK,
  status.INVALID_ARGUMENT,
  status.NOT_FOUND,
  status.DEADLINE_EXCEEDED,
]);

const repeated = (bytes: Buffer): Buffer => Buffer.alloc(BYTES - (BYTES % bytes.length), bytes);
const written = (write: (writer: BinaryWriter) => unknown): Buffer => {
  const writer = new BinaryWriter();
  write(writer);
  return Buffer.from(writer.finish());
};
const tag = (field: number, type: WireType): Buffer => written((writer) => writer.tag(field, type));
const within = (field: number, bytes: Buffer): Buffer =>
  written((writer) => writer.tag(field, WireType.LengthDelimited).bytes(bytes));

/** The worst contents of a message: each field repeated with its shortest value, in a message of its own and within one. */
function* worstMessages(fields: number): Generator<readonly [name: string, bytes: Buffer]> {
  for (let field = 1; field <= fields; field += 1) {
    const empty = Buffer.concat([tag(field, WireType.LengthDelimited), Buffer.from([0])]);
    yield [`field ${String(field)}, empty`, repeated(empty)];
    yield [`field ${String(field)}, one character`, repeated(within(field, Buffer.from('a')))];
    yield [`field ${String(field)}, zeros`, within(field, Buffer.alloc(BYTES - 10))];
    yield [
      `field ${String(field)}, numbers`,
      repeated(Buffer.concat([tag(field, WireType.Varint), Buffer.from([1])])),
    ];
    yield [
      `field ${String(field)}, 8 bytes`,
      repeated(Buffer.concat([tag(field, WireType.Bit64), Buffer.alloc(8)])),
    ];
    for (const inner of [1, 4, 5])
      yield [
        `field ${String(field)}, field ${String(inner)} within, empty`,
        within(
          field,
          repeated(Buffer.concat([tag(inner, WireType.LengthDelimited), Buffer.from([0])])).subarray(
            0,
            BYTES - 10,
          ),
        ),
      ];
  }
  yield ['groups that do not end', repeated(tag(3, WireType.StartGroup))];
  yield [
    'a group of numbers',
    Buffer.concat([
      tag(20, WireType.StartGroup),
      repeated(Buffer.concat([tag(1, WireType.Varint), Buffer.from([1])])).subarray(0, BYTES - 100),
      tag(20, WireType.EndGroup),
    ]),
  ];
  yield ['an unknown field, numbers', repeated(Buffer.from([0xa0, 0x1f, 1]))];
  yield ['ff', Buffer.alloc(BYTES, 0xff)];
}

describe('the longest turn of the router', function () {
  this.timeout(300_000);
  let processes: RouterProcesses;
  let service: RouterProcess & Pick<ProbedService, 'turns'>;
  let session: ClientHttp2Session;
  let token: () => Promise<string>;
  before(async () => {
    processes = await createRouterProcesses({ name: 'PostgreSQL', missing: null, bus: false });
    service = probed(await processes.start(undefined, undefined, { ...PROBED, DBR_LOG_LEVEL: 'crit' }));
    const { identity, privateKey } = processes.fixture.parties[0];
    const { metadata } = tokenCredentials(identity.tenantId, identity.partyId, privateKey);
    token = async () => String((await metadata()).get('authorization')[0]);
    session = await openSession(service.port);
  });
  after(async () => {
    session.destroy();
    await processes.drop();
  });

  async function send(path: string, bytes: Buffer): Promise<number | null> {
    const { stream, answered } = beginCall(session, path, {
      authorization: await token(),
      'grpc-timeout': '5S',
    });
    stream.end(message(bytes));
    return answered;
  }

  /** Null: within the bound. Otherwise the figures. */
  async function tooLong(path: string, name: string, bytes: Buffer): Promise<string | null> {
    const tries: number[] = [];
    let figures = '';
    while (tries.length < TRIES) {
      await service.turns();
      const code = await send(path, bytes);
      const { longestMs, controlMs } = await service.turns();
      tries.push(longestMs);
      const bound = MOST_MS * Math.max(1, controlMs / CONTROL_MS);
      if (EXPECTED.has(code) && longestMs <= bound) return null;
      figures = `${path} ${name} (${String(code)}): ${tries.map((ms) => ms.toFixed(1)).join(', ')} ms`;
    }
    return figures;
  }

  for (const [at, method] of RouterService.methods.entries())
    it(`is short for the worst messages of ${method.name}`, async () => {
      const path = `/${RouterService.typeName}/${method.name}`;
      const found: string[] = [];
      // The decoder is one for all methods: each takes another part of the forms.
      for (const [name, bytes] of some(worstMessages(method.input.fields.length), 8, at)) {
        const figures = await tooLong(path, name, bytes);
        if (figures !== null) found.push(figures);
      }
      expect(found).to.deep.equal([]);
    });
});
