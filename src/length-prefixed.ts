/** Bytes that are signed or authenticated: parts with their lengths in front, so that no two lists give the same bytes. */

/** Each part as four bytes of its length, big-endian, then the part; texts as UTF-8. */
export function lengthPrefixed(parts: readonly (string | Uint8Array)[]): Buffer {
  const pieces = parts.flatMap((part) => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : part;
    return [unsigned32(bytes.length), bytes];
  });
  return Buffer.concat(pieces);
}

/** Four bytes, big-endian. */
export function unsigned32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Milliseconds since the epoch as eight bytes, big-endian; no bytes for no time. */
export function instantBytes(time: Date | null): Buffer {
  if (time === null) return Buffer.alloc(0);
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(time.getTime()));
  return bytes;
}
