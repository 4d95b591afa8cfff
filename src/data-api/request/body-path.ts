/** A key that needs no quotes in a path. */
const PLAIN_KEY = /^[\p{L}\d_$!: -]+$/u;

/** Returns the path of a value in a body: `films[3].roles[0]`; `the root` for the body itself. */
export function pathText(path: readonly (string | number)[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${String(step)}]`;
    else if (PLAIN_KEY.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text === '' ? 'the root' : text;
}
