/** JSON with the members of every object in the order of their names: equal values give equal texts. */

/** @param value from JSON.parse */
export function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${sortedJson(member)}`);
  return `{${members.join(',')}}`;
}

const LONG_NUMBER = /\d{16}|\d[eE]|\.\d*0[,}\s\]]/;

/** Whether JSON may contain a number whose digits JavaScript would change. */
export const mayLoseDigits = (json: string): boolean => LONG_NUMBER.test(json);
