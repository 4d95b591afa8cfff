/** The first line of a comment, and the rest of it without the blank lines between. */
export function splitComment(comment: string | null): {
  readonly summary?: string;
  readonly description?: string;
} {
  if (comment === null) return {};
  const end = comment.indexOf('\n');
  if (end < 0) return { summary: comment };
  const description = comment.slice(end).replace(/^\n+/, '');
  return { summary: comment.slice(0, end), ...(description === '' ? {} : { description }) };
}
