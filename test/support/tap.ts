/** TAP as a parser of npm reads it. */
import { Parser, type FinalResults } from 'tap-parser';

export interface TapPoint {
  readonly ok: boolean;
  readonly name: string;
  readonly diag: unknown;
}

/** @returns the test points, those of a subtest before it, and what the parser objects to */
export function tapOf(text: string): {
  readonly points: readonly TapPoint[];
  readonly faults: readonly string[];
} {
  const parser = new Parser({ strict: true });
  const points: TapPoint[] = [];
  const faults: string[] = [];
  const follow = (each: Parser): void => {
    each.on('assert', ({ ok, name, diag }: TapPoint) => points.push({ ok, name, diag: diag ?? null }));
    each.on('extra', (extra: string) => faults.push(`not TAP: ${extra.trim()}`));
    each.on('complete', ({ failures, plan, count }: FinalResults) => {
      for (const { tapError } of failures) if (tapError !== null) faults.push(String(tapError));
      if (plan.end !== count) faults.push(`${String(count)} of ${String(plan.end)} points`);
    });
    each.on('child', follow);
  };
  follow(parser);
  parser.end(text);
  return { points, faults };
}
