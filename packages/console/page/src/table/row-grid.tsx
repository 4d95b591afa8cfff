/** The rows of a page. Names of columns sort, values of foreign keys are links. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ColumnDetail, ForeignKey, RelationDetail } from '../../../server/answers.js';
import { referenceFilters, type View } from '../data-request.js';
import { Icon } from '../icon.js';
import type { JsonRow } from '../json.js';
import { Text, Value } from '../parts.js';
import { tableAddress } from '../route.js';
import { withWidth, type Columns } from './columns.js';
import { Grid, type GridSelection } from './grid.js';

const NUMBER = /^(?:smallint|integer|bigint|numeric|real|double precision|money|oid)/;
const isNumeric = ({ baseType }: ColumnDetail): boolean => NUMBER.test(baseType) && !baseType.endsWith('[]');

interface RowGridProps {
  readonly relation: RelationDetail;
  readonly view: View;
  readonly rows: readonly JsonRow[];
  readonly columns: Columns;
  readonly selection: GridSelection | null;
  readonly onColumns: (columns: Columns) => void;
  readonly onSort: (order: View['order']) => void;
  readonly onOpen: (row: JsonRow) => void;
}

/** What Alt with an arrow adds to the width of a column. */
const STEP = 24;

export function RowGrid(props: RowGridProps): JSX.Element {
  const { relation, view, rows, columns, selection, onColumns, onSort, onOpen } = props;
  const shown = relation.columns.filter(({ name, select }) => select && !columns.hidden.includes(name));
  const keys = useMemo(() => singleReferences(relation), [relation]);

  function resizeByKeys(event: KeyboardEvent & { readonly currentTarget: HTMLElement }, name: string): void {
    const step = event.key === 'ArrowRight' ? STEP : event.key === 'ArrowLeft' ? -STEP : 0;
    const header = event.currentTarget.closest('th');
    if (!event.altKey || step === 0 || header === null) return;
    event.preventDefault();
    onColumns(withWidth(columns, name, header.offsetWidth + step));
  }

  return (
    <Grid
      label={`Rows of ${relation.name}`}
      count={rows.length}
      selection={selection}
      onResize={(name, width) => onColumns(withWidth(columns, name, width))}
      columns={shown.map((column) => {
        const { name, comment } = column;
        const sorted =
          view.order?.column === name ? (view.order.descending ? 'descending' : 'ascending') : null;
        return {
          name,
          sorted,
          isNumber: isNumeric(column),
          width: columns.widths[name] ?? null,
          header: (
            <button
              type="button"
              class="sort"
              title={[column.type, comment, 'Alt with ← or → changes the width'].filter(Boolean).join('\n')}
              onKeyDown={(event) => resizeByKeys(event, name)}
              onClick={() =>
                onSort(sorted === 'descending' ? null : { column: name, descending: sorted === 'ascending' })
              }
            >
              {relation.primaryKey.includes(name) && <Icon name="key" label="key" />}
              <Text>{name}</Text>
              <span aria-hidden="true">{sorted === null ? '' : sorted === 'ascending' ? ' ↑' : ' ↓'}</span>
            </button>
          ),
        };
      })}
      cell={(row, column) => {
        const found = shown[column];
        const given = rows[row];
        if (found === undefined || given === undefined) return null;
        const key = keys.get(found.name);
        const filters = key === undefined ? null : referenceFilters(key.columns, key.otherColumns, given);
        const value = <Value value={given[found.name]} />;
        return key === undefined || filters === null ? (
          value
        ) : (
          <a tabIndex={-1} href={tableAddress(key.schema, key.name, { filters })}>
            {value}
          </a>
        );
      }}
      onOpen={(row) => {
        const given = rows[row];
        if (given !== undefined) onOpen(given);
      }}
    />
  );
}

/** The foreign key that a column leads along: the one with the fewest columns. */
function singleReferences({ references }: RelationDetail): ReadonlyMap<string, ForeignKey> {
  const keys = new Map<string, ForeignKey>();
  for (const key of [...references].sort((one, other) => other.columns.length - one.columns.length))
    for (const column of key.columns) keys.set(column, key);
  return keys;
}
