/** Counts the items of a long list without a parse, so that a list beyond its limit costs next to nothing. */

/** A list whose items a limit bounds: fields with names, or conditions with names and values. */
export type ListedItem = 'fields' | 'conditions';

/**
 * Returns a number of items that the text has at least, if it can be parsed: one more than its commas outside of values. The
 * scan ends at a parenthesis that closes more than was opened, and at what may belong to a value: in conditions at the first
 * quote that does not enclose a value, and the first bracket that belongs to no group. The conditions of `.filter(…)` are not items of `select`.
 */
export function leastItems(what: ListedItem, text: string, start: number): number {
  return what === 'fields' ? leastFields(text, start) : leastConditions(text, start);
}

function leastConditions(text: string, start: number): number {
  let items = 1;
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === ',') items += 1;
    else if (character === ')') {
      if (depth === 0) return items;
      depth -= 1;
    } else if (character === '(' && beginsGroup(text, at)) depth += 1;
    else if (character === '"' && text.charAt(at - 1) === '.') {
      at = endOfQuotes(text, at);
      const following = text.charAt(at + 1);
      // Without an end in quotes, the quote is a character of a plain value.
      if (following !== ',' && following !== ')') return items;
    } else if ('"([{'.includes(character)) return items;
  }
  return items;
}

/** Whether a parenthesis belongs to `and` or `or` at the beginning of a term, not to a value or an operator. */
const beginsGroup = (text: string, at: number): boolean =>
  /[,(](?:not\.)?(?:and|or)$/.test(text.slice(Math.max(0, at - 8), at));

function leastFields(text: string, start: number): number {
  let items = 1;
  let depth = 0;
  // Depth within the conditions of an aggregate; 0 outside.
  let filterDepth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') {
      if (filterDepth > 0 || !beginsName(text, at)) return items;
      at = endOfQuotes(text, at);
    } else if (character === '(') {
      if (filterDepth > 0 || text.endsWith('.filter', at)) filterDepth += 1;
      else depth += 1;
    } else if (character === ')') {
      if (depth + filterDepth === 0) return items;
      if (filterDepth > 0) filterDepth -= 1;
      else depth -= 1;
    } else if (character === ',' && filterDepth === 0) items += 1;
  }
  return items;
}

const beginsName = (text: string, at: number): boolean => at === 0 || ',(:>!'.includes(text.charAt(at - 1));

/** Returns the offset of the closing quote, or the end of the text. */
function endOfQuotes(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at;
}
