/** The bytes behind hexadecimal digits, piece by piece: a digit cut off from its pair waits for the next piece. */
export function bytesOfHex(pieces: readonly Buffer[]): readonly Buffer[] {
  const bytes: Buffer[] = [];
  let rest = '';
  for (const piece of pieces) {
    const digits = rest + piece.toString('latin1');
    const whole = digits.length - (digits.length % 2);
    bytes.push(Buffer.from(digits.slice(0, whole), 'hex'));
    rest = digits.slice(whole);
  }
  return bytes;
}
