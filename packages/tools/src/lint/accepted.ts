/** Findings that a project accepts: a file with a line `RULE OBJECT` for each, and comments that say why. */
import type { Finding } from './rule.js';

export interface Judged<Found extends Finding = Finding> {
  readonly findings: readonly Found[];
  readonly accepted: readonly Found[];
  /** Lines of the file that match no finding. */
  readonly unmatched: readonly string[];
}

/** Lines that begin with `#` are comments. */
export const acceptedLines = (content: string): readonly string[] =>
  content
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

const lineOf = ({ rule, object }: Finding): string => `${rule} ${object}`;

/** @param lines of the file of accepted findings */
export function judge<Found extends Finding>(
  findings: readonly Found[],
  lines: readonly string[],
): Judged<Found> {
  const known = new Set(lines);
  const found = new Set(findings.map(lineOf));
  return {
    findings: findings.filter((finding) => !known.has(lineOf(finding))),
    accepted: findings.filter((finding) => known.has(lineOf(finding))),
    unmatched: lines.filter((line) => !found.has(line)),
  };
}
