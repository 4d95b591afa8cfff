/** The rows of a page that are selected, by their keys. */
import { useRef, useState } from 'preact/hooks';
import type { RelationDetail } from '../../../server/answers.js';
import { keyOf } from '../data-request.js';
import type { JsonRow } from '../json.js';
import type { GridSelection } from './grid.js';

interface SelectedRows {
  readonly keys: readonly (readonly string[])[];
  /** Null for rows without a key. */
  readonly grid: GridSelection | null;
  readonly clear: () => void;
}

const shapeOf = (relation: RelationDetail, row: JsonRow): string => JSON.stringify(keyOf(relation, row));

export function useSelection(relation: RelationDetail, rows: readonly JsonRow[]): SelectedRows {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  /** The row from which a range begins. */
  const last = useRef(0);
  const shapes = relation.primaryKey.length === 0 ? [] : rows.map((row) => shapeOf(relation, row));
  const onPage = shapes.filter((shape) => selected.has(shape));

  function toggle(row: number, isRange: boolean): void {
    const isOn = !selected.has(shapes[row] ?? '');
    const [from, to] = isRange ? [Math.min(row, last.current), Math.max(row, last.current)] : [row, row];
    last.current = row;
    const next = new Set(selected);
    for (const shape of shapes.slice(from, to + 1))
      if (isOn) next.add(shape);
      else next.delete(shape);
    setSelected(next);
  }

  return {
    keys: onPage.map((shape) => JSON.parse(shape) as readonly string[]),
    clear: () => setSelected(new Set()),
    grid:
      relation.primaryKey.length === 0 || !relation.privileges.delete
        ? null
        : {
            has: (row) => selected.has(shapes[row] ?? ''),
            state: onPage.length === 0 ? 'none' : onPage.length === shapes.length ? 'all' : 'some',
            toggle,
            toggleAll: () => setSelected(new Set(onPage.length === shapes.length ? [] : shapes)),
          },
  };
}
