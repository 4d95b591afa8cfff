/** What answers must be: each check returns what is wrong, and null if nothing is. */
import type { Answer } from './http-client.js';

export const differs = (answer: string, expected: string): string | null =>
  answer === expected ? null : `the body is ${answer.slice(0, 300)}, not ${expected.slice(0, 300)}`;

export const sameJson =
  (expected: unknown) =>
  ({ body }: Answer): string | null => {
    try {
      return differs(JSON.stringify(JSON.parse(body)), JSON.stringify(expected));
    } catch {
      return `the body is no JSON: ${body.slice(0, 100)}`;
    }
  };

export const all =
  (...checks: readonly ((answer: Answer) => string | null)[]) =>
  (answer: Answer): string | null => {
    for (const check of checks) {
      const problem = check(answer);
      if (problem !== null) return problem;
    }
    return null;
  };

export const sameHeader =
  (name: string, expected: string) =>
  ({ headers }: Answer): string | null =>
    headers.get(name) === expected ? null : `${name} is ${String(headers.get(name))}, not ${expected}`;
