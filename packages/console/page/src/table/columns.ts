/** Columns that are hidden, and their widths, by table: kept by the browser. */
export interface Columns {
  readonly hidden: readonly string[];
  /** In pixels; a column without one is as wide as its content. */
  readonly widths: Readonly<Record<string, number>>;
}

const NONE: Columns = { hidden: [], widths: {} };
const keyOf = (schema: string, name: string): string => `dbr.columns.${JSON.stringify([schema, name])}`;

const LEAST_WIDTH = 48;
const MOST_WIDTH = 1200;

export function readColumns(schema: string, name: string): Columns {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf(schema, name)) ?? 'null');
    if (typeof value !== 'object' || value === null) return NONE;
    const { hidden, widths }: { hidden?: unknown; widths?: unknown } = value;
    return {
      hidden: Array.isArray(hidden) ? hidden.filter((each) => typeof each === 'string') : [],
      widths: Object.fromEntries(
        Object.entries(typeof widths === 'object' && widths !== null ? widths : {}).filter(
          (pair): pair is [string, number] => typeof pair[1] === 'number',
        ),
      ),
    };
  } catch {
    return NONE;
  }
}

export function saveColumns(schema: string, name: string, columns: Columns): void {
  const isNone = columns.hidden.length === 0 && Object.keys(columns.widths).length === 0;
  if (isNone) localStorage.removeItem(keyOf(schema, name));
  else localStorage.setItem(keyOf(schema, name), JSON.stringify(columns));
}

/** @param width null for the width of the content */
export function withWidth({ hidden, widths }: Columns, name: string, width: number | null): Columns {
  const { [name]: _, ...others } = widths;
  if (width === null) return { hidden, widths: others };
  const bounded = Math.round(Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, width)));
  return { hidden, widths: { ...others, [name]: bounded } };
}
