/** Fields of typed values: the row that is edited or inserted, and the arguments of a function. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { ABSENT, isArray, isJson, type Draft, type FieldType } from './draft.js';
import { Text } from './parts.js';

/** Types whose texts have no line breaks: an input would take these out of the texts of others. */
const ONE_LINE =
  /^(?:smallint|integer|bigint|numeric|real|double precision|money|oid|uuid|date|time|timestamp|interval|bit|bytea|inet|cidr|macaddr8?)\b/;
const isOneLine = (field: Pick<FieldType, 'baseType'>): boolean =>
  ONE_LINE.test(field.baseType) && !isArray(field);

const LINE = 60;
const MOST_LINES = 10;

/** The lines at which the text is shown. */
const linesOf = (text: string, least: number): number =>
  Math.min(
    MOST_LINES,
    Math.max(
      least,
      text
        .split('\n', MOST_LINES)
        .reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / LINE)), 0),
    ),
  );

interface FieldProps {
  readonly field: FieldType;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  /** Why the field cannot be changed; undefined if it can. */
  readonly readOnly?: string | undefined;
  /** What an absent field means. */
  readonly absent: string;
  readonly isWrong?: boolean;
}

export function Field({ field, draft, onChange, readOnly, absent, isWrong }: FieldProps): JSX.Element {
  const id = useId();
  const { name, type, enumLabels, nullable, comment } = field;
  const text = draft.kind === 'text' ? draft.text : '';
  const placeholder = draft.kind === 'null' ? 'null' : draft.kind === 'absent' ? absent : '';
  const common = {
    id,
    'aria-describedby': `${id}-type`,
    ...(isWrong === true ? { 'aria-invalid': true } : {}),
  };
  const set = (value: string): void => onChange({ kind: 'text', text: value });
  return (
    <div class="field">
      <label for={id}>
        <Text>{name}</Text>
      </label>
      <span class="type" id={`${id}-type`} title={comment ?? ''}>
        <Text>{readOnly === undefined ? type : `${type}, ${readOnly}`}</Text>
      </span>
      <div class="field-input">
        {enumLabels.length > 0 || field.baseType === 'boolean' ? (
          <select
            {...common}
            disabled={readOnly !== undefined}
            value={draft.kind === 'text' ? `=${text}` : draft.kind}
            onChange={({ currentTarget: { value } }) =>
              value.startsWith('=')
                ? set(value.slice(1))
                : onChange(value === 'null' ? { kind: 'null' } : ABSENT)
            }
          >
            {draft.kind === 'absent' && <option value="absent">{absent}</option>}
            {(nullable || draft.kind === 'null') && <option value="null">null</option>}
            {(enumLabels.length > 0 ? enumLabels : ['true', 'false']).map((label) => (
              <option key={label} value={`=${label}`}>
                {label}
              </option>
            ))}
          </select>
        ) : isOneLine(field) ? (
          <input
            {...common}
            readOnly={readOnly !== undefined}
            placeholder={placeholder}
            value={text}
            dir="auto"
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => set(event.currentTarget.value)}
          />
        ) : (
          <textarea
            {...common}
            rows={linesOf(text, isJson(field) ? 3 : 1)}
            readOnly={readOnly !== undefined}
            placeholder={placeholder}
            value={text}
            dir="auto"
            spellcheck={false}
            onInput={(event) => set(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
                event.currentTarget.form?.requestSubmit();
            }}
          />
        )}
        {nullable && readOnly === undefined && enumLabels.length === 0 && field.baseType !== 'boolean' && (
          <button
            type="button"
            class="small"
            aria-pressed={draft.kind === 'null'}
            aria-label={`Set ${name} to null`}
            onClick={() => onChange(draft.kind === 'null' ? ABSENT : { kind: 'null' })}
          >
            null
          </button>
        )}
      </div>
    </div>
  );
}
