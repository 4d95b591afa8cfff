/** The encoding of statements that are signed or authenticated: each part has a length prefix, so that different lists have different bytes. */

/** Encodes each part as its length in four bytes, big-endian, followed by the part. Text is UTF-8. */
export function lengthPrefixed(parts: readonly (string | Uint8Array)[]): Buffer {
  let size = 0;
  for (const part of parts) size += PREFIX_BYTES + byteLength(part);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const part of parts) {
    at = bytes.writeUInt32BE(byteLength(part), at);
    if (typeof part === 'string') at += bytes.write(part, at);
    else {
      bytes.set(part, at);
      at += part.length;
    }
  }
  return bytes;
}

const PREFIX_BYTES = 4;
const byteLength = (part: string | Uint8Array): number =>
  typeof part === 'string' ? Buffer.byteLength(part) : part.length;

/** Encodes a number in four bytes, big-endian. */
export function unsigned32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Encodes a time as milliseconds since the epoch in eight bytes, big-endian; null as no bytes. */
export function instantBytes(time: Date | null): Buffer {
  if (time === null) return Buffer.alloc(0);
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(time.getTime()));
  return bytes;
}
