/** Rows of a relation: filters, order, pages, and the row that is open. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Catalogue, ColumnDetail, ForeignKey, RelationDetail } from '../../server/answers.js';
import { ask, send } from './api.js';
import {
  EMPTY_VIEW,
  filterPair,
  operatorsOf,
  pagesOf,
  pathOf,
  profileOf,
  readRequest,
  referenceFilters,
  type Filter,
  type View,
} from './data-request.js';
import { Grid } from './grid.js';
import { rowsOf, type JsonRow } from './json.js';
import { Comment, ErrorBox, Show, Text, useLoaded, Value } from './parts.js';
import { addressOf, go } from './route.js';
import { RowPanel } from './row-panel.js';

interface TableProps {
  readonly catalogue: Catalogue;
  readonly schema: string;
  readonly name: string;
  readonly view: View;
}

export const askRelation = (schema: string, name: string, signal: AbortSignal): Promise<RelationDetail> =>
  ask<RelationDetail>({ kind: 'relation', schema, name }, { signal });

export function TableScreen({ catalogue, schema, name, view }: TableProps): JSX.Element {
  const relation = useLoaded((signal) => askRelation(schema, name, signal), [schema, name]);
  return (
    <Show of={relation} title={name}>
      {(detail) => <Rows key={`${schema}.${name}`} catalogue={catalogue} relation={detail} view={view} />}
    </Show>
  );
}

type Opened = { readonly kind: 'row'; readonly row: JsonRow } | { readonly kind: 'new' };

interface RowsProps {
  readonly catalogue: Catalogue;
  readonly relation: RelationDetail;
  readonly view: View;
}

function Rows({ catalogue, relation, view }: RowsProps): JSX.Element {
  const { schema, name } = relation;
  const [changes, setChanges] = useState(0);
  const [opened, setOpened] = useState<Opened | null>(null);
  const show = (next: View): void => go({ screen: 'table', schema, name, view: next });
  const shape = JSON.stringify(view);
  const page = useLoaded(
    async (signal) => {
      const reply = await send(readRequest(relation, view, catalogue.schemas), { signal });
      const rows = rowsOf(reply.body);
      return { rows, ...pagesOf(relation, view, reply.headers, rows.length) };
    },
    [relation, shape, changes],
  );
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>
          <Text>{name}</Text> {relation.kind !== 'table' && <span class="tag">{relation.kind}</span>}
          {relation.rowSecurity && (
            <a class="tag" href={addressOf({ screen: 'policies', schema, name })}>
              row security
            </a>
          )}
        </h1>
        <Comment>{relation.comment}</Comment>
      </header>
      <div class="toolbar">
        <Filters
          relation={relation}
          view={view}
          onChange={(filters) => show({ ...view, filters, page: null })}
        />
        <span class="spread" />
        <Count catalogue={catalogue} relation={relation} filters={view.filters} />
        <button type="button" onClick={() => setChanges(changes + 1)}>
          Refresh
        </button>
        {relation.privileges.insert && (
          <button type="button" class="primary" onClick={() => setOpened({ kind: 'new' })}>
            Insert row
          </button>
        )}
      </div>
      <Show of={page}>
        {({ rows, next, previous }) => (
          <>
            {rows.length === 0 ? (
              <p class="empty">No rows. Filters or policies may leave them out.</p>
            ) : (
              <RowGrid
                relation={relation}
                view={view}
                rows={rows}
                onSort={(order) => show({ ...view, order, page: null })}
                onOpen={(row) => setOpened({ kind: 'row', row })}
              />
            )}
            <nav class="pages" aria-label="Pages">
              <span class="quiet">
                {rows.length} {rows.length === 1 ? 'row' : 'rows'} on this page
              </span>
              <button
                type="button"
                disabled={previous === undefined}
                onClick={() => show({ ...view, page: previous ?? null })}
              >
                Previous
              </button>
              <button
                type="button"
                disabled={next === undefined}
                onClick={() => show({ ...view, page: next ?? null })}
              >
                Next
              </button>
            </nav>
          </>
        )}
      </Show>
      {opened !== null && (
        <RowPanel
          catalogue={catalogue}
          relation={relation}
          row={opened.kind === 'row' ? opened.row : null}
          onClose={() => setOpened(null)}
          onChanged={() => {
            setChanges(changes + 1);
            setOpened(null);
          }}
        />
      )}
    </div>
  );
}

const NUMBER = /^(?:smallint|integer|bigint|numeric|real|double precision|money|oid)/;
export const isNumeric = ({ baseType }: ColumnDetail): boolean =>
  NUMBER.test(baseType) && !baseType.endsWith('[]');

interface RowGridProps {
  readonly relation: RelationDetail;
  readonly view: View;
  readonly rows: readonly JsonRow[];
  readonly onSort: (order: View['order']) => void;
  readonly onOpen: (row: JsonRow) => void;
}

function RowGrid({ relation, view, rows, onSort, onOpen }: RowGridProps): JSX.Element {
  const columns = relation.columns.filter(({ select }) => select);
  const keys = useMemo(() => singleReferences(relation), [relation]);
  return (
    <Grid
      label={`Rows of ${relation.name}`}
      count={rows.length}
      columns={columns.map((column) => {
        const { name, comment } = column;
        const sorted =
          view.order?.column === name ? (view.order.descending ? 'descending' : 'ascending') : null;
        return {
          name,
          sorted,
          isNumber: isNumeric(column),
          header: (
            <button
              type="button"
              class="sort"
              title={[column.type, comment].filter(Boolean).join('\n')}
              onClick={() =>
                onSort(sorted === 'descending' ? null : { column: name, descending: sorted === 'ascending' })
              }
            >
              {relation.primaryKey.includes(name) && <KeyMark />}
              <Text>{name}</Text>
              <span aria-hidden="true">{sorted === null ? '' : sorted === 'ascending' ? ' ↑' : ' ↓'}</span>
            </button>
          ),
        };
      })}
      cell={(row, column) => {
        const found = columns[column];
        const given = rows[row];
        if (found === undefined || given === undefined) return null;
        const key = keys.get(found.name);
        const filters = key === undefined ? null : referenceFilters(key.columns, key.otherColumns, given);
        const value = <Value value={given[found.name]} />;
        return key === undefined || filters === null ? (
          value
        ) : (
          <a
            tabIndex={-1}
            href={addressOf({
              screen: 'table',
              schema: key.schema,
              name: key.name,
              view: { ...EMPTY_VIEW, filters },
            })}
          >
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

/** Marks the columns of the primary key. */
const KeyMark = (): JSX.Element => (
  <svg class="key" viewBox="0 0 16 16" width="12" height="12" role="img" aria-label="key">
    <path
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      d="M10.5 1.9a3.6 3.6 0 1 1-2.3 6.4L2.5 14H1v-2l1-1h1.6v-1.6l3.4-3.2a3.6 3.6 0 0 1 3.5-4.3Z"
    />
  </svg>
);

/** The foreign key that a column leads along: the one with the fewest columns. */
function singleReferences({ references }: RelationDetail): ReadonlyMap<string, ForeignKey> {
  const keys = new Map<string, ForeignKey>();
  for (const key of [...references].sort((one, other) => other.columns.length - one.columns.length))
    for (const column of key.columns) keys.set(column, key);
  return keys;
}

function Count({
  catalogue,
  relation,
  filters,
}: {
  readonly catalogue: Catalogue;
  readonly relation: RelationDetail;
  readonly filters: readonly Filter[];
}): JSX.Element {
  const shape = JSON.stringify(filters);
  const [counted, setCounted] = useState<{ readonly shape: string; readonly text: string } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const count = async (): Promise<void> => {
    try {
      const { headers } = await send({
        method: 'GET',
        path: pathOf(relation.name),
        query: [...filters.map(filterPair), ['limit', 0]],
        headers: { Prefer: 'count=exact', ...profileOf(relation.schema, catalogue.schemas, 'GET') },
      });
      const total = headers.get('Content-Range')?.split('/')[1] ?? '*';
      setCounted({ shape, text: `${Number(total).toLocaleString('en')} rows in all` });
      setError(null);
    } catch (reason) {
      setError(reason);
    }
  };
  if (error !== null) return <ErrorBox error={error} />;
  return counted?.shape === shape ? (
    <span class="quiet" role="status">
      {counted.text}
    </span>
  ) : (
    <button type="button" onClick={() => void count()}>
      Count
    </button>
  );
}

interface FiltersProps {
  readonly relation: RelationDetail;
  readonly view: View;
  readonly onChange: (filters: readonly Filter[]) => void;
}

function Filters({ relation, view: { filters }, onChange }: FiltersProps): JSX.Element {
  const [isAdding, setAdding] = useState(false);
  return (
    <div class="filters" role="group" aria-label="Filters">
      {filters.map((filter, index) => (
        <span class="chip" key={`${filter.column} ${filter.operator} ${filter.value}`}>
          <Text>{filter.column}</Text> <i>{labelOf(relation, filter)}</i> <Text>{filter.value}</Text>
          <button
            type="button"
            class="icon"
            aria-label={`Remove the filter of ${filter.column}`}
            onClick={() => onChange(filters.filter((_, place) => place !== index))}
          >
            ✕
          </button>
        </span>
      ))}
      {isAdding ? (
        <FilterForm
          relation={relation}
          onCancel={() => setAdding(false)}
          onAdd={(filter) => {
            setAdding(false);
            onChange([...filters, filter]);
          }}
        />
      ) : (
        <button type="button" onClick={() => setAdding(true)}>
          Add filter
        </button>
      )}
    </div>
  );
}

function labelOf({ columns }: RelationDetail, { column, operator }: Filter): string {
  const found = columns.find(({ name }) => name === column);
  return (found && operatorsOf(found).find(({ name }) => name === operator)?.label) ?? operator;
}

function FilterForm({
  relation,
  onAdd,
  onCancel,
}: {
  readonly relation: RelationDetail;
  readonly onAdd: (filter: Filter) => void;
  readonly onCancel: () => void;
}): JSX.Element {
  const columns = relation.columns.filter(({ select }) => select);
  const [column, setColumn] = useState(columns[0]?.name ?? '');
  const found = columns.find(({ name }) => name === column);
  const operators = found === undefined ? [] : operatorsOf(found);
  const [operator, setOperator] = useState<string | null>(null);
  const [value, setValue] = useState('');
  const chosen = operators.find(({ name }) => name === operator) ?? operators[0];
  return (
    <form
      class="filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen !== undefined)
          onAdd({ column, operator: chosen.name, value: chosen.takesValue ? value : '' });
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      <select
        aria-label="Column"
        value={column}
        ref={(element) => {
          if (element !== null && document.activeElement === document.body) element.focus();
        }}
        onChange={(event) => {
          setColumn(event.currentTarget.value);
          setOperator(null);
        }}
      >
        {columns.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label="Operator"
        value={chosen?.name ?? ''}
        onChange={(event) => setOperator(event.currentTarget.value)}
      >
        {operators.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
      {chosen?.takesValue === true &&
        (found !== undefined && found.enumLabels.length > 0 && chosen.name !== 'in' ? (
          <select aria-label="Value" value={value} onChange={(event) => setValue(event.currentTarget.value)}>
            <option value="" />
            {found.enumLabels.map((label) => (
              <option key={label} value={label}>
                {label}
              </option>
            ))}
          </select>
        ) : (
          <input
            aria-label="Value"
            value={value}
            placeholder={chosen.name === 'in' ? 'one, two' : ''}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        ))}
      <button type="submit" class="primary">
        Apply
      </button>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </form>
  );
}
