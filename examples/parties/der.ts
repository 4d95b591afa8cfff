/** The little of DER (ITU-T X.690) that certificates need. */

/** A value under its tag. Contents of up to 65,535 bytes. */
export function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const length =
    content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

export const sequence = (...contents: readonly Buffer[]): Buffer => der(0x30, ...contents);
export const setOf = (...contents: readonly Buffer[]): Buffer => der(0x31, ...contents);
export const octetString = (content: Buffer): Buffer => der(0x04, content);
export const bitString = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content);
export const utf8String = (text: string): Buffer => der(0x0c, Buffer.from(text));
export const integer = (bytes: Buffer): Buffer => der(0x02, bytes);
export const TRUE = der(0x01, Buffer.from([0xff]));

/** An object identifier by its encoded bytes. */
export const identifier = (...bytes: readonly number[]): Buffer => der(0x06, Buffer.from(bytes));

/** YYMMDDHHMMSSZ. @param time in milliseconds since the epoch */
export function utcTime(time: number): Buffer {
  const text = new Date(time).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return der(0x17, Buffer.from(text.slice(2)));
}

/** The text form of RFC 7468. */
export function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
