/** Lines of comments of the database that accept findings of `dbr lint`: `lint-accepted: RULE REASON`. */

const LINE = /^[ \t]*lint-accepted:[ \t]*(\S*)[ \t]*(.*?)[ \t]*\r?$/;

interface LintAcceptance {
  /** The name of a rule; empty if the line has none. */
  readonly rule: string;
  /** Why; empty if the line does not say it. */
  readonly reason: string;
}

/** Returns null for a line of a comment that accepts nothing. */
export function lintAcceptanceOf(line: string): LintAcceptance | null {
  const [, rule, reason] = LINE.exec(line) ?? [];
  return rule === undefined || reason === undefined ? null : { rule, reason };
}

/**
 * Returns a comment without the lines that accept findings, null if nothing else is in it.
 * @param isRemoved for one of these lines; all of them without it
 */
export function withoutAcceptances(
  comment: string | null,
  isRemoved: (acceptance: LintAcceptance) => boolean = () => true,
): string | null {
  if (comment?.includes('lint-accepted:') !== true) return comment;
  const kept = comment.split('\n').filter((line) => {
    const acceptance = lintAcceptanceOf(line);
    return acceptance === null || !isRemoved(acceptance);
  });
  const rest = kept.join('\n').trim();
  return rest === '' ? null : rest;
}
