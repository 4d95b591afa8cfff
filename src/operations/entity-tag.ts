/** Conditional requests (RFC 9110 §13.1). */

/** Whether `If-None-Match` or `If-Match` names the tag: `*` names all, weak tags compare as strong ones. */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = etag.replace(/^W\//, '');
  return header.split(',').some((candidate) => {
    const tag = candidate.trim();
    return tag === '*' || tag.replace(/^W\//, '') === opaque;
  });
}
