/** Which groups of the menu are folded: kept by the browser, for all tabs. */
const KEY = 'dbr.folded';

/** A menu of more entries shows only the first schema until others are unfolded. */
const MOST_UNFOLDED = 60;

type Folded = Readonly<Record<string, boolean>>;

function read(): Folded {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Folded) : {};
  } catch {
    return {};
  }
}

/** @param group name of a schema, with `()` for its functions @param entries of the whole menu */
export const isFolded = (group: string, isFirst: boolean, entries: number): boolean =>
  read()[group] ?? (entries > MOST_UNFOLDED && !isFirst);

export const setFolded = (group: string, folded: boolean): void =>
  localStorage.setItem(KEY, JSON.stringify({ ...read(), [group]: folded }));
