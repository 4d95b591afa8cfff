/** The known word that is meant by an unknown one. */

/**
 * Returns the word with the fewest typing errors: characters that are missing, superfluous, wrong, or exchanged with
 * their neighbour. Returns null if every word has more errors than a third of its characters.
 */
export function nearest(given: string, words: readonly string[]): string | null {
  let best: string | null = null;
  let fewest = Infinity;
  for (const word of words) {
    const errors = editDistance(given, word);
    if (errors < fewest && errors <= Math.max(1, Math.floor(word.length / 3))) {
      best = word;
      fewest = errors;
    }
  }
  return best;
}

/** Longer words are not compared: the work grows with the square of the length. */
const LONGEST = 64;

/** The distance of Damerau and Levenshtein, in which no part of the text is changed twice. */
export function editDistance(left: string, right: string): number {
  if (left.length > LONGEST || right.length > LONGEST) return Infinity;
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      line.push(
        Math.min(
          at(above, column) + 1,
          at(line, column - 1) + 1,
          at(above, column - 1) + (same ? 0 : 1),
          swapped ? at(before, column - 2) + 1 : Infinity,
        ),
      );
    }
    before = above;
    above = line;
  }
  return at(above, right.length);
}

const at = (line: readonly number[], index: number): number => line[index] ?? Infinity;
