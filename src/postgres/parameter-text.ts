/** Values of JavaScript as parameters in text format. */

/**
 * Returns the parameter for a value: null (also for undefined), text, bytes (of type bytea), a time, a number, a boolean, or
 * an array of these. PostgreSQL refuses the text of an invalid time.
 * @throws TypeError for any other value
 */
export function parameterOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (Buffer.isBuffer(value)) return bytesText(value);
  return Array.isArray(value) ? arrayText(value) : scalarText(value);
}

/** An array constant (PostgreSQL manual, 8.15.6). */
function arrayText(values: readonly unknown[]): string {
  const elements = values.map((value) => {
    if (value === null || value === undefined) return 'NULL';
    if (Array.isArray(value)) return arrayText(value);
    if (Buffer.isBuffer(value)) return `"\\${bytesText(value)}"`;
    const text = typeof value === 'string' ? value : scalarText(value);
    return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  });
  return `{${elements.join(',')}}`;
}

/** The hex format of bytea (PostgreSQL manual, 8.4.1). */
const bytesText = (value: Buffer): string => `\\x${value.toString('hex')}`;

function scalarText(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  if (value instanceof Date) return timeText(value);
  throw new TypeError(`a value of type ${typeof value} is no parameter`);
}

/** RFC 3339 in UTC, with more digits for late years, and BC for early ones (PostgreSQL manual, 8.5.1). */
function timeText(time: Date): string {
  const year = time.getUTCFullYear();
  if (Number.isNaN(year)) return String(time);
  const rest = time.toISOString().slice(-REST_OF_TIME);
  return year < 1 ? `${digits(1 - year)}${rest} BC` : `${digits(year)}${rest}`;
}

/** Characters of a time after its year. */
const REST_OF_TIME = 20;

const digits = (year: number): string => String(year).padStart(4, '0');
