/** Messages as a PostgreSQL server sends them, well formed and not. */
import fc from 'fast-check';

export const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
};
export const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

export function backendMessage(type: string, ...content: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(content);
  return Buffer.concat([Buffer.from(type, 'latin1'), int32(bytes.length + 4), bytes]);
}

export const text = (value: string): Buffer => Buffer.from(`${value}\0`);

export const rowDescription = (...names: readonly string[]): Buffer =>
  backendMessage('T', int16(names.length), ...names.flatMap((name) => [text(name), Buffer.alloc(18)]));

export const dataRow = (...values: readonly (string | null)[]): Buffer =>
  backendMessage(
    'D',
    int16(values.length),
    ...values.flatMap((value) =>
      value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value)],
    ),
  );

export const errorResponse = (message: string): Buffer =>
  backendMessage('E', text('SERROR'), text('C22000'), text(`M${message}`), Buffer.alloc(1));

/** A conversation that is well formed. */
const ANSWERS: readonly Buffer[] = [
  backendMessage('1'),
  backendMessage('2'),
  rowDescription('a', 'b'),
  dataRow('one', null),
  dataRow('zwei', ''),
  backendMessage('C', text('SELECT 2')),
  backendMessage('S', text('TimeZone'), text('UTC')),
  backendMessage('A', int32(7), text('channel'), text('payload')),
  backendMessage('N', text('SNOTICE'), text('Mhear'), Buffer.alloc(1)),
  errorResponse('wrong'),
  backendMessage('K', int32(1), int32(2)),
  backendMessage('Z', Buffer.from('I')),
];

/** Streams that begin well and are then altered: bytes changed, left out, put in, lengths that cannot be, noise. */
export const alteredStreams: fc.Arbitrary<Buffer> = fc
  .record({
    messages: fc.array(fc.constantFrom(...ANSWERS), { minLength: 1, maxLength: 12 }),
    changes: fc.array(
      fc.record({
        at: fc.nat(400),
        removed: fc.nat(9),
        put: fc.oneof(
          fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes)),
          fc.constantFrom(
            int16(-1),
            int16(32_767),
            int32(-1),
            int32(0),
            int32(3),
            int32(0x7fff_ffff),
            int32(-2),
          ),
        ),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ messages, changes }) => {
    let stream = Buffer.concat(messages);
    for (const { at, removed, put } of changes) {
      const from = at % (stream.length + 1);
      stream = Buffer.concat([stream.subarray(0, from), put, stream.subarray(from + removed)]);
    }
    return stream;
  });
