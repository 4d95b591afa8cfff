/** The PROXY protocol, versions 1 and 2 (HAProxy, proxy-protocol.txt): the address of the client, in front of a connection. */
import { isIP, type Socket } from 'node:net';

type ProxyHeader =
  /** The bytes are the beginning of a header. */
  | { readonly kind: 'partial' }
  | { readonly kind: 'malformed' }
  /** `bytes` is the length of the header; the address is null if the proxy states none. */
  | { readonly kind: 'complete'; readonly bytes: number; readonly address: string | null };

const PARTIAL: ProxyHeader = { kind: 'partial' };
const MALFORMED: ProxyHeader = { kind: 'malformed' };

const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
const FIXED_BYTES = 16;
/** Most bytes of addresses and extensions in version 2. */
const MOST_BYTES = 4096;
/** Longest line of version 1, with its end (§2.1). */
const LONGEST_LINE = 107;

export function parseProxyHeader(bytes: Buffer): ProxyHeader {
  const begin = bytes.subarray(0, SIGNATURE.length);
  if (begin.equals(SIGNATURE.subarray(0, begin.length)) && begin.length > 0) return parseBinary(bytes);
  return parseLine(bytes);
}

function parseLine(bytes: Buffer): ProxyHeader {
  const text = bytes.toString('latin1', 0, LONGEST_LINE);
  const end = text.indexOf('\r\n');
  if (end < 0)
    return 'PROXY '.startsWith(text.slice(0, 6)) && bytes.length < LONGEST_LINE ? PARTIAL : MALFORMED;
  const line = text.slice(0, end);
  if (/^PROXY UNKNOWN(?: |$)/.test(line)) return { kind: 'complete', bytes: end + 2, address: null };
  const [, version, source = '', target = ''] =
    /^PROXY TCP([46]) (\S+) (\S+) \d{1,5} \d{1,5}$/.exec(line) ?? [];
  const isSound =
    version !== undefined && [source, target].every((address) => isIP(address) === Number(version));
  return isSound ? { kind: 'complete', bytes: end + 2, address: source } : MALFORMED;
}

const LOCAL = 0x20;
const PROXY = 0x21;

function parseBinary(bytes: Buffer): ProxyHeader {
  if (bytes.length < FIXED_BYTES) return PARTIAL;
  const command = bytes.readUInt8(12);
  const length = bytes.readUInt16BE(14);
  if ((command !== LOCAL && command !== PROXY) || length > MOST_BYTES) return MALFORMED;
  const end = FIXED_BYTES + length;
  if (bytes.length < end) return PARTIAL;
  if (command === LOCAL) return { kind: 'complete', bytes: end, address: null };
  const source = bytes.subarray(FIXED_BYTES, end);
  switch (bytes.readUInt8(13) >> 4) {
    case 1:
      return length < 12
        ? MALFORMED
        : { kind: 'complete', bytes: end, address: source.subarray(0, 4).join('.') };
    case 2:
      return length < 36 ? MALFORMED : { kind: 'complete', bytes: end, address: textOfIPv6(source) };
    default:
      return { kind: 'complete', bytes: end, address: null };
  }
}

const textOfIPv6 = (bytes: Buffer): string =>
  Array.from({ length: 8 }, (_, group) => bytes.readUInt16BE(2 * group).toString(16)).join(':');

/**
 * Reads the header and gives the bytes behind it back to the socket.
 * @returns the address; null if the proxy states none
 * @throws Error for bytes that are no header, and if it is not complete in time
 */
export function readProxyHeader(socket: Socket, timeoutMs: number): Promise<string | null> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const timer = setTimeout(() => fail('the header of the proxy is not complete in time'), timeoutMs);
    const end = (): void => {
      clearTimeout(timer);
      socket.off('readable', onReadable);
      for (const event of ['end', 'close', 'error'] as const) socket.off(event, onEnd);
    };
    const fail = (reason: string): void => {
      end();
      reject(new Error(reason));
    };
    const onEnd = (): void => fail('the connection ended before the header of the proxy');
    function onReadable(): void {
      const chunk: unknown = socket.read();
      if (!Buffer.isBuffer(chunk)) return;
      received = Buffer.concat([received, chunk]);
      const header = parseProxyHeader(received);
      if (header.kind === 'partial') return;
      if (header.kind === 'malformed')
        return fail('the connection begins with no header of the PROXY protocol');
      end();
      if (header.bytes < received.length) socket.unshift(received.subarray(header.bytes));
      resolve(header.address);
    }
    socket.on('readable', onReadable);
    for (const event of ['end', 'close', 'error'] as const) socket.on(event, onEnd);
  });
}
