/** Fields of typed values: the row that is edited or inserted, and the arguments of a function. */
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Text } from '../parts.js';
import { ABSENT, isArray, isBytes, isJson, type Draft, type FieldType } from './draft.js';
import { FileField } from './file-field.js';
import { ListField } from './list-field.js';

/** Types whose texts have no line breaks: an input would take these out of the texts of others. */
const ONE_LINE =
  /^(?:smallint|integer|bigint|numeric|real|double precision|money|oid|uuid|date|time|timestamp|interval|bit|inet|cidr|macaddr8?)\b/;
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
  /** Stands behind the control. */
  readonly children?: ComponentChildren;
}

export function Field(props: FieldProps): JSX.Element {
  const { field, draft, onChange, readOnly, absent, isWrong, children } = props;
  const id = useId();
  const { name, type, enumLabels, nullable, comment } = field;
  const isChosen = enumLabels.length > 0 || field.baseType === 'boolean';
  const text = draft.kind === 'text' ? draft.text : '';
  const placeholder = draft.kind === 'null' ? 'null' : draft.kind === 'absent' ? absent : '';
  const common = {
    id,
    'aria-describedby': `${id}-type`,
    ...(isWrong === true ? { 'aria-invalid': true } : {}),
    ...(field.isRequired === true ? { 'aria-required': true } : {}),
  };
  const set = (value: string): void => onChange({ kind: 'text', text: value });
  return (
    <div class="field">
      <span class="field-name">
        <label for={id}>
          <Text>{name}</Text>
        </label>
        {field.isRequired === true && (
          <span class="required" title="A row needs a value of this column">
            required
          </span>
        )}
      </span>
      <span class="type" id={`${id}-type`}>
        <Text>{readOnly === undefined ? type : `${type}, ${readOnly}`}</Text>
      </span>
      <div class="field-input">
        {isChosen ? (
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
        ) : isArray(field) ? (
          <ListField
            label={name}
            baseType={field.baseType}
            text={draft.kind === 'text' ? text : null}
            placeholder={placeholder}
            isReadOnly={readOnly !== undefined}
            describedBy={`${id}-type`}
            isWrong={isWrong === true}
            onChange={set}
          />
        ) : isBytes(field) ? (
          <FileField
            id={id}
            label={name}
            text={draft.kind === 'text' ? text : null}
            placeholder={placeholder}
            isReadOnly={readOnly !== undefined}
            onChange={set}
          />
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
        {nullable && readOnly === undefined && !isChosen && (
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
      {comment !== null && comment !== '' && (
        <p class="field-comment">
          <Text>{comment}</Text>
        </p>
      )}
      {children}
    </div>
  );
}
