/** The row that a foreign key names: by its name, and chosen from those that a search finds. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Catalogue, ForeignKey } from '../../../server/answers.js';
import { send } from '../api.js';
import { profileOf } from '../data-request.js';
import type { Draft } from '../fields/draft.js';
import { filterPair } from '../filters.js';
import { rowsOf, textOf, type Json, type JsonRow } from '../json.js';
import { pathOf, quoted } from '../names.js';
import { ErrorBox, Text, useLoaded } from '../parts.js';
import { tableAddress } from '../route.js';

interface ReferencePickerProps {
  readonly catalogue: Catalogue;
  readonly foreignKey: ForeignKey;
  /** What the columns of the key have in the form. */
  readonly values: readonly Draft[];
  readonly isReadOnly: boolean;
  /** @param values of the columns of the key, in their order */
  readonly onChoose: (values: readonly (Json | undefined)[]) => void;
}

export function ReferencePicker(props: ReferencePickerProps): JSX.Element {
  const { catalogue, foreignKey, values, isReadOnly, onChoose } = props;
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <div class="reference">
      <div class="reference-line">
        <Named catalogue={catalogue} foreignKey={foreignKey} values={values} />
        {!isReadOnly && (
          <button
            ref={opener}
            type="button"
            class="small"
            aria-expanded={isOpen}
            aria-label={`Choose a row of ${foreignKey.name}`}
            onClick={() => setOpen(!isOpen)}
          >
            Choose…
          </button>
        )}
      </div>
      {isOpen && (
        <Search
          catalogue={catalogue}
          foreignKey={foreignKey}
          onClose={close}
          onChoose={(row) => {
            onChoose(foreignKey.otherColumns.map((name) => row[name]));
            close();
          }}
        />
      )}
    </div>
  );
}

const textsOf = (values: readonly Draft[]): readonly string[] | null =>
  values.every((value) => value.kind === 'text' && value.text !== '')
    ? values.map((value) => (value.kind === 'text' ? value.text : ''))
    : null;

/** The columns of the key, and the name. */
const selectOf = ({ otherColumns, label }: ForeignKey): string =>
  [...otherColumns, ...(label === null ? [] : [label])].map(quoted).join(',');

/** The name of the row that the form names, with a link to it. */
function Named({
  catalogue,
  foreignKey,
  values,
}: Pick<ReferencePickerProps, 'catalogue' | 'foreignKey' | 'values'>): JSX.Element {
  const { schema, name, otherColumns, label } = foreignKey;
  const texts = textsOf(values);
  const filters =
    texts === null
      ? null
      : otherColumns.map((column, at) => ({ column, operator: 'eq', value: texts[at] ?? '' }));
  const loaded = useLoaded(
    async (signal) => {
      if (filters === null || label === null) return null;
      const { body } = await send(
        {
          method: 'GET',
          path: pathOf(name),
          query: [
            ['select', selectOf(foreignKey)],
            ...filters.map((filter) => filterPair(filter)),
            ['limit', 1],
          ],
          headers: profileOf(schema, catalogue.schemas, 'GET'),
        },
        { signal, quiet: true },
      );
      return rowsOf(body)[0]?.[label] ?? null;
    },
    [foreignKey, JSON.stringify(texts)],
  );
  const found = loaded.state === 'loaded' ? loaded.value : null;
  return (
    <span class="reference-name quiet">
      in <Text>{name}</Text>
      {filters !== null && found !== null && (
        <>
          {': '}
          <a href={tableAddress(schema, name, { filters })}>
            <Text>{textOf(found)}</Text>
          </a>
        </>
      )}
    </span>
  );
}

const MOST_FOUND = 20;
/** A search begins when nothing was typed for so long. */
const PAUSE_MS = 200;

interface SearchProps {
  readonly catalogue: Catalogue;
  readonly foreignKey: ForeignKey;
  readonly onClose: () => void;
  readonly onChoose: (row: JsonRow) => void;
}

function Search({ catalogue, foreignKey, onClose, onChoose }: SearchProps): JSX.Element {
  const { schema, name, otherColumns, label } = foreignKey;
  const by = label ?? otherColumns[0] ?? '';
  const [text, setText] = useState('');
  const [search, setSearch] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const loaded = useLoaded(
    async (signal) => {
      const filter = { column: by, operator: label === null ? 'eq' : 'ilike', value: search };
      const { body } = await send(
        {
          method: 'GET',
          path: pathOf(name),
          query: [
            ['select', selectOf(foreignKey)],
            ...(search === '' ? [] : [filterPair(filter)]),
            ['order', quoted(by)],
            ['limit', MOST_FOUND],
          ],
          headers: profileOf(schema, catalogue.schemas, 'GET'),
        },
        { signal, quiet: true },
      );
      return rowsOf(body);
    },
    [foreignKey, search],
  );
  const rows = loaded.state === 'loaded' ? loaded.value : [];

  function onKeyDown(event: KeyboardEvent): void {
    // The panel around it stays open.
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onClose();
      return;
    }
    const [first] = rows;
    if (event.key === 'Enter' && event.target === input.current) {
      event.preventDefault();
      if (first !== undefined && text === search) onChoose(first);
      return;
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    (buttons[at + step] ?? input.current)?.focus();
  }

  return (
    <div class="reference-search" role="group" aria-label={`Rows of ${name}`} onKeyDown={onKeyDown}>
      <input
        ref={input}
        type="search"
        aria-label={`Find in ${name} by ${by}`}
        placeholder={`Find by ${by}`}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {loaded.state === 'failed' && <ErrorBox error={loaded.error} />}
      {loaded.state === 'loaded' && rows.length === 0 && (
        <p class="quiet" role="status">
          No row is found.
        </p>
      )}
      <ul ref={list}>
        {rows.map((row) => {
          const key = otherColumns.map((column) => textOf(row[column])).join(', ');
          return (
            <li key={key}>
              <button type="button" tabIndex={-1} onClick={() => onChoose(row)}>
                {label !== null && <Text>{textOf(row[label])}</Text>} <small class="quiet">{key}</small>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
