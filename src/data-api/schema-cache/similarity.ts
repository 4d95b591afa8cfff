/** One minus the edit distance (Levenshtein) over the longer length. */
export function similarity(one: string, other: string): number {
  const a = Array.from(one);
  const b = Array.from(other);
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [row, letter] of a.entries()) {
    const current = [row + 1];
    for (const [at, against] of b.entries()) {
      const change = (previous[at] ?? 0) + (letter === against ? 0 : 1);
      current.push(Math.min(change, (previous[at + 1] ?? 0) + 1, (current[at] ?? 0) + 1));
    }
    previous = current;
  }
  const longest = Math.max(a.length, b.length);
  return longest === 0 ? 1 : 1 - (previous.at(-1) ?? 0) / longest;
}
