/** Lists of notifications and signing: a table of texts, its pages, and the members of one object. */
import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { isObject, rowsOf, textOf, type Json, type JsonRow } from './json.js';
import { Text } from './parts.js';

/** The items of a page: the array that the object has. */
export const itemsOf = (body: Json | undefined): readonly JsonRow[] => {
  if (!isObject(body)) return rowsOf(body);
  return rowsOf(Object.values(body).find((value) => Array.isArray(value)));
};

interface Column {
  readonly name: string;
  readonly label: string;
  /** What a cell shows; the text of the member without it. */
  readonly show?: (row: JsonRow) => ComponentChildren;
}

export const column = (name: string, label: string, show?: Column['show']): Column => ({
  name,
  label,
  ...(show === undefined ? {} : { show }),
});

interface ListedProps {
  readonly rows: readonly JsonRow[];
  readonly columns: readonly Column[];
  readonly empty: string;
  readonly label: string;
  readonly action?: (row: JsonRow) => JSX.Element;
}

export function Listed({ rows, columns, empty, label, action }: ListedProps): JSX.Element {
  if (rows.length === 0) return <p class="quiet">{empty}</p>;
  return (
    <div class="row-list" tabIndex={0} role="group" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, label: header }) => (
              <th key={name} scope="col">
                {header}
              </th>
            ))}
            {action !== undefined && <th scope="col">Details</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map(({ name, show }) => (
                <td key={name} title={textOf(row[name])}>
                  {show === undefined ? <Text>{textOf(row[name])}</Text> : show(row)}
                </td>
              ))}
              {action !== undefined && <td>{action(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Pages {
  /** The parameter of the page, for the request. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly first: () => void;
  /** Buttons for the pages beside this one, of a response; null if it is the only one. */
  readonly buttons: (body: Json | undefined, label: string) => JSX.Element | null;
}

interface Place {
  readonly cursors: readonly string[];
  readonly left: Json | undefined | null;
}

/** Pages of a list by cursor. */
export function usePages(): Pages {
  /** The cursors of this page and those before it; the first page has none. The response that was shown when it was chosen. */
  const [{ cursors }, setPage] = useState<Place>({ cursors: [], left: null });
  const shown = useRef<Json | undefined | null>(null);
  const cursor = cursors.at(-1);
  const turn = (to: readonly string[]): void => setPage({ cursors: to, left: shown.current });
  /** The response of the page before stays until the next one comes: its cursors are those of that page. */
  const turnOnce = (to: readonly string[]): void =>
    setPage((before) => (before.left === shown.current ? before : { cursors: to, left: shown.current }));
  return {
    query: cursor === undefined ? [] : [['cursor', cursor]],
    first: () => turn([]),
    buttons(body, label) {
      shown.current = body;
      const next = isObject(body) ? textOf(body['nextCursor']) : '';
      if (next === '' && cursor === undefined) return null;
      return (
        <div class="pages" role="group" aria-label={`Pages of ${label}`}>
          <span class="spread" />
          <button
            type="button"
            disabled={cursor === undefined}
            onClick={() => turnOnce(cursors.slice(0, -1))}
          >
            Previous
          </button>
          <button type="button" disabled={next === ''} onClick={() => turnOnce([...cursors, next])}>
            Next
          </button>
        </div>
      );
    },
  };
}

export const Pairs = ({
  of,
}: {
  readonly of: readonly (readonly [name: string, text: string])[];
}): JSX.Element => (
  <dl class="pairs">
    {of.map(([name, text]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <Text>{text}</Text>
        </dd>
      </div>
    ))}
  </dl>
);
