/** The values of a row, edited, inserted or deleted. A write changes the version of the row that was read, and no other. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Catalogue, ColumnDetail, RelationDetail } from '../../../server/answers.js';
import { ApiError, send } from '../api.js';
import { isWhollyReadable, keyOf, keyPairs, profileOf } from '../data-request.js';
import { ABSENT, draftOf, sameDraft, valueOf, type Draft } from '../fields/draft.js';
import { Field } from '../fields/field.js';
import type { Json, JsonRow } from '../json.js';
import { pathOf } from '../names.js';
import { ErrorBox } from '../parts.js';
import type { ApiRequest } from '../request.js';
import { forgetUnsaved, useUnsaved } from '../unsaved.js';
import { Delete } from './delete-button.js';
import { ReferencePicker } from './reference-picker.js';

interface RowFormProps {
  readonly catalogue: Catalogue;
  readonly relation: RelationDetail;
  /** Null for a new row. */
  readonly row: JsonRow | null;
  /** Of the row as it was read; null if it has none. */
  readonly tag: string | null;
  readonly onChanged: () => void;
  readonly onReadAgain?: () => void;
}

type Drafts = Readonly<Record<string, Draft>>;

/** Tables have versions of rows, for a role that may read them as a whole. */
const conditionOf = (relation: RelationDetail, tag: string | null): Readonly<Record<string, string>> =>
  tag !== null && relation.kind === 'table' && isWhollyReadable(relation) ? { 'If-Match': tag } : {};

export function RowForm(props: RowFormProps): JSX.Element {
  const { catalogue, relation, row, tag, onChanged, onReadAgain } = props;
  const before: Drafts = useMemo(
    () => Object.fromEntries(relation.columns.map(({ name }) => [name, draftOf(row?.[name])])),
    [relation, row],
  );
  /** What was edited, by column: the other fields show the row, also when it is read again. */
  const [edits, setEdits] = useState<Drafts>({});
  const [error, setError] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);
  const key = row === null ? null : keyOf(relation, row);
  const mayWrite = row === null ? relation.privileges.insert : relation.privileges.update && key !== null;
  const draftAt = (name: string): Draft => edits[name] ?? before[name] ?? ABSENT;
  const changed = relation.columns.filter(({ name }) => !sameDraft(draftAt(name), before[name] ?? ABSENT));
  const mayDelete = row !== null && relation.privileges.delete && key !== null;
  // A row that was read again is no longer the one that was refused.
  const readTag = useRef(tag);
  useEffect(() => {
    if (readTag.current !== tag) setError(null);
    readTag.current = tag;
  }, [tag]);

  useUnsaved(changed.length > 0);

  async function run(request: ApiRequest): Promise<void> {
    setSending(true);
    try {
      await send(request);
      forgetUnsaved();
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
        const value = valueOf(column, draftAt(column.name));
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
      columns: relation.columns,
      query: key === null ? [] : keyPairs(relation, key),
      headers: {
        Prefer: 'return=minimal',
        ...conditionOf(relation, tag),
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
      columns: relation.columns,
      query: keyPairs(relation, key),
      headers: { ...conditionOf(relation, tag), ...profileOf(relation.schema, catalogue.schemas, 'DELETE') },
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
        .map((column) => {
          const readOnly = readOnlyReason(column, row === null, mayWrite);
          const reference = relation.references.find(({ columns }) => columns[0] === column.name);
          return (
            <Field
              key={column.name}
              field={{ ...column, isRequired: readOnly === undefined && isRequired(column) }}
              draft={draftAt(column.name)}
              onChange={(draft) => setEdits({ ...edits, [column.name]: draft })}
              readOnly={readOnly}
              absent={column.hasDefault ? 'default' : 'not given'}
              isWrong={error instanceof Error && error.message.includes(`"${column.name}"`)}
            >
              {reference !== undefined && (
                <ReferencePicker
                  catalogue={catalogue}
                  foreignKey={reference}
                  values={reference.columns.map((name) => draftAt(name))}
                  isReadOnly={readOnly !== undefined}
                  onChoose={(values) =>
                    setEdits({
                      ...edits,
                      ...Object.fromEntries(reference.columns.map((name, at) => [name, draftOf(values[at])])),
                    })
                  }
                />
              )}
            </Field>
          );
        })}
      {error !== null && <ErrorBox error={error} />}
      {isStale(error) && onReadAgain !== undefined && (
        <div class="stale">
          <p>Somebody has changed or deleted this row since it was read. Nothing was written.</p>
          <button type="button" onClick={onReadAgain}>
            Read it again, and keep the edits
          </button>
        </div>
      )}
      {(mayWrite || mayDelete) && (
        <div class="actions">
          {mayWrite && (
            <button
              type="submit"
              class="primary"
              disabled={isSending || (row !== null && changed.length === 0)}
            >
              {row === null ? 'Insert' : 'Save'}
            </button>
          )}
          {mayDelete && <Delete what="this row" onDelete={() => void remove()} />}
        </div>
      )}
    </form>
  );
}

/** Whether a row needs a value that neither the caller nor a default gives. */
const isRequired = ({ nullable, hasDefault, generated }: ColumnDetail): boolean =>
  !nullable && !hasDefault && !generated;

function readOnlyReason(column: ColumnDetail, isNew: boolean, mayWrite: boolean): string | undefined {
  if (column.generated) return 'generated';
  if (!mayWrite || !(isNew ? column.insert : column.update)) return 'read only';
  return undefined;
}

/** Whether a write was refused because the row has changed since it was read. */
const isStale = (error: unknown): boolean => error instanceof ApiError && error.status === 412;
