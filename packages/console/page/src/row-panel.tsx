/** One row: its values, the rows that it leads to, and why the caller sees it. A new row has values alone. */
import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Catalogue, ColumnDetail, ForeignKey, RelationDetail } from '../../server/answers.js';
import { send } from './api.js';
import { EMPTY_VIEW, filterPair, keyPairs, pathOf, profileOf, referenceFilters } from './data-request.js';
import { ABSENT, draftOf, sameDraft, valueOf, type Draft } from './draft.js';
import { Field } from './fields.js';
import { rowsOf, textOf, type Json, type JsonRow } from './json.js';
import { ErrorBox, Panel, Show, Text, useLoaded, Value } from './parts.js';
import type { ApiRequest } from './request.js';
import { addressOf } from './route.js';
import { useUnsaved } from './unsaved.js';
import { VisibilityOf } from './visibility.js';

interface RowPanelProps {
  readonly catalogue: Catalogue;
  readonly relation: RelationDetail;
  /** Null for a new row. */
  readonly row: JsonRow | null;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

type Drafts = Readonly<Record<string, Draft>>;

export function RowPanel({ catalogue, relation, row, onClose, onChanged }: RowPanelProps): JSX.Element {
  const key = row === null ? null : keyPairs(relation, row);
  const title = row === null ? `New row of ${relation.name}` : `Row of ${relation.name}`;
  return (
    <Panel
      label={title}
      onClose={onClose}
      title={
        <>
          <Text>{title}</Text>{' '}
          {key !== null && (
            <small class="quiet">
              <Text>{key.map(([, value]) => value.slice('eq.'.length)).join(', ')}</Text>
            </small>
          )}
        </>
      }
    >
      <RowForm catalogue={catalogue} relation={relation} row={row} onChanged={onChanged} />
      {row !== null && (
        <>
          <Related catalogue={catalogue} relation={relation} row={row} />
          <Section title="Why does the caller see this row?">
            <VisibilityOf relation={relation} row={row} />
          </Section>
        </>
      )}
    </Panel>
  );
}

function Section({
  title,
  children,
}: {
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="section" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}

function RowForm({ catalogue, relation, row, onChanged }: Omit<RowPanelProps, 'onClose'>): JSX.Element {
  const before: Drafts = useMemo(
    () => Object.fromEntries(relation.columns.map(({ name }) => [name, draftOf(row?.[name])])),
    [relation, row],
  );
  const [drafts, setDrafts] = useState<Drafts>(before);
  const [error, setError] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);
  const key = row === null ? null : keyPairs(relation, row);
  const mayWrite = row === null ? relation.privileges.insert : relation.privileges.update && key !== null;
  const changed = relation.columns.filter(
    ({ name }) => !sameDraft(drafts[name] ?? ABSENT, before[name] ?? ABSENT),
  );

  useUnsaved(changed.length > 0);

  async function run(request: ApiRequest): Promise<void> {
    setSending(true);
    try {
      await send(request);
      onChanged();
    } catch (reason) {
      setError(reason);
    } finally {
      setSending(false);
    }
  }

  async function save(): Promise<void> {
    const body: Record<string, Json> = {};
    try {
      for (const column of changed) {
        const value = valueOf(column, drafts[column.name] ?? ABSENT);
        if (value !== undefined) body[column.name] = value;
      }
    } catch (reason) {
      setError(reason);
      return;
    }
    const method = row === null ? 'POST' : 'PATCH';
    await run({
      method,
      path: pathOf(relation.name),
      query: key ?? [],
      headers: {
        Prefer: 'return=minimal',
        ...profileOf(relation.schema, catalogue.schemas, method),
      },
      body,
    });
  }

  async function remove(): Promise<void> {
    if (key === null) return;
    await run({
      method: 'DELETE',
      path: pathOf(relation.name),
      query: key,
      headers: profileOf(relation.schema, catalogue.schemas, 'DELETE'),
    });
  }

  return (
    <form
      class="row-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {relation.columns
        .filter((column) => column.select || (row === null && column.insert))
        .map((column) => (
          <Field
            key={column.name}
            field={column}
            draft={drafts[column.name] ?? ABSENT}
            onChange={(draft) => setDrafts({ ...drafts, [column.name]: draft })}
            readOnly={readOnlyReason(column, row === null, mayWrite)}
            absent={column.hasDefault ? 'default' : 'not given'}
            isWrong={error instanceof Error && error.message.includes(`"${column.name}"`)}
          />
        ))}
      {error !== null && <ErrorBox error={error} />}
      {mayWrite && (
        <div class="actions">
          <button
            type="submit"
            class="primary"
            disabled={isSending || (row !== null && changed.length === 0)}
          >
            {row === null ? 'Insert' : 'Save'}
          </button>
          {row !== null && relation.privileges.delete && key !== null && (
            <Delete what="row" onDelete={() => void remove()} />
          )}
        </div>
      )}
    </form>
  );
}

function readOnlyReason(column: ColumnDetail, isNew: boolean, mayWrite: boolean): string | undefined {
  if (column.generated) return 'generated';
  if (!mayWrite || !(isNew ? column.insert : column.update)) return 'read only';
  return undefined;
}

/** Asks before it deletes. */
export function Delete({
  what,
  onDelete,
}: {
  readonly what: string;
  readonly onDelete: () => void;
}): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  return isAsking ? (
    <>
      <button type="button" class="danger" onClick={onDelete}>
        Delete this {what}
      </button>
      <button type="button" onClick={() => setAsking(false)}>
        Keep it
      </button>
    </>
  ) : (
    <button type="button" onClick={() => setAsking(true)}>
      Delete…
    </button>
  );
}

interface RelatedProps {
  readonly catalogue: Catalogue;
  readonly relation: RelationDetail;
  readonly row: JsonRow;
}

/** The rows that foreign keys lead to, opened in place. */
function Related({ catalogue, relation, row }: RelatedProps): JSX.Element | null {
  const keys = [...relation.references, ...relation.referencedBy];
  /** The columns of the foreign key, whichever side has it. */
  const foreignColumns = (key: ForeignKey): readonly string[] =>
    relation.references.includes(key) ? key.columns : key.otherColumns;
  if (keys.length === 0) return null;
  return (
    <div class="related">
      <h3>Related rows</h3>
      {keys.map((key) => {
        const filters = referenceFilters(key.columns, key.otherColumns, row);
        return filters === null ? null : (
          <Section
            key={`${key.constraint} ${key.name}`}
            title={
              <>
                <Text>{key.name}</Text> <span class="quiet">by {foreignColumns(key).join(', ')}</span>
              </>
            }
          >
            <Embedded catalogue={catalogue} foreignKey={key} row={row} />
          </Section>
        );
      })}
    </div>
  );
}

const EMBEDDED_ROWS = 10;

function Embedded({
  catalogue,
  foreignKey,
  row,
}: {
  readonly catalogue: Catalogue;
  readonly foreignKey: ForeignKey;
  readonly row: JsonRow;
}): JSX.Element {
  const { schema, name, columns, otherColumns } = foreignKey;
  const filters = referenceFilters(columns, otherColumns, row) ?? [];
  const loaded = useLoaded(
    (signal) =>
      send(
        {
          method: 'GET',
          path: pathOf(name),
          query: [...filters.map(filterPair), ['limit', EMBEDDED_ROWS]],
          headers: profileOf(schema, catalogue.schemas, 'GET'),
        },
        { signal },
      ),
    [foreignKey, row],
  );
  const address = addressOf({ screen: 'table', schema, name, view: { ...EMPTY_VIEW, filters } });
  return (
    <Show of={loaded}>
      {({ body }) => {
        const rows = rowsOf(body);
        return (
          <>
            {rows.length === 0 ? <p class="quiet">No rows that the caller sees.</p> : <RowList rows={rows} />}
            <a href={address}>
              {rows.length === EMBEDDED_ROWS ? `The first ${String(EMBEDDED_ROWS)} rows; open all` : 'Open'}{' '}
              in <Text>{name}</Text>
            </a>
          </>
        );
      }}
    </Show>
  );
}

/** A few rows as a plain table. */
export function RowList({ rows }: { readonly rows: readonly JsonRow[] }): JSX.Element {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <div class="row-list" tabIndex={0} role="region" aria-label="Rows">
      <table>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                <Text>{name}</Text>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {names.map((name) => (
                <td key={name} title={textOf(row[name])}>
                  <Value value={row[name]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
