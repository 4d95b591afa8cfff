/** A bounded number of values of a label that clients or the schema choose: each value costs a time series. */

export interface BoundedNames {
  /** The name, or `other` if there are too many names. */
  of(name: string): string;
}

const LONGEST_NAME = 100;

/** @param most the first so many names are kept until the process ends */
export function boundedNames(most: number): BoundedNames {
  const names = new Set<string>();
  return {
    of(name) {
      if (names.has(name)) return name;
      if (names.size >= most || name.length > LONGEST_NAME) return OTHER;
      names.add(name);
      return name;
    },
  };
}

const OTHER = 'other';
