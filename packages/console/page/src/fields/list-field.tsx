/** The elements of an array, one a line: in the form of a row and in that of a filter. */
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../icon.js';
import { textOf, type Json } from '../json.js';
import { elementOf, elementsOf } from './draft.js';

interface ListFieldProps {
  readonly label: string;
  /** Of the array. */
  readonly baseType: string;
  /** The JSON of the elements; null if the field has no array. */
  readonly text: string | null;
  /** Shown for a field without an array. */
  readonly placeholder: string;
  readonly isReadOnly?: boolean;
  readonly describedBy?: string;
  readonly isWrong?: boolean;
  readonly onChange: (text: string) => void;
}

export function ListField(props: ListFieldProps): JSX.Element {
  const { label, baseType, text, placeholder, isReadOnly = false, describedBy, isWrong, onChange } = props;
  const place = useRef<HTMLDivElement>(null);
  const elements = text === null ? [] : elementsOf(text);
  const set = (changed: readonly Json[]): void => onChange(JSON.stringify(changed));
  /** The element that gets the focus when the form is rendered again, before the next key. */
  const focused = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (focused.current !== null) place.current?.querySelectorAll('input').item(focused.current)?.focus();
    focused.current = null;
  });
  const described = describedBy === undefined ? {} : { 'aria-describedby': describedBy };
  const wrong = isWrong === true ? { 'aria-invalid': true } : {};

  // Arrays of several dimensions, and texts that are no array, are edited as they are written.
  if (elements === null)
    return (
      <textarea
        aria-label={label}
        {...described}
        {...wrong}
        rows={2}
        value={text ?? ''}
        readOnly={isReadOnly}
        spellcheck={false}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    );

  const add = (index: number): void => {
    focused.current = index;
    set(elements.toSpliced(index, 0, ''));
  };
  const remove = (index: number): void => {
    focused.current = Math.max(0, index - 1);
    set(elements.toSpliced(index, 1));
  };

  return (
    <div ref={place} class="list" role="group" aria-label={label} {...described}>
      {elements.map((element, index) => (
        <div class="list-element" key={index}>
          <input
            aria-label={`${label} ${String(index + 1)}`}
            {...wrong}
            value={textOf(element)}
            placeholder={element === null ? 'null' : 'empty'}
            readOnly={isReadOnly}
            dir="auto"
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => set(elements.with(index, elementOf(baseType, event.currentTarget.value)))}
            onKeyDown={(event) => {
              if (event.isComposing || isReadOnly) return;
              if (event.key === 'Enter') {
                event.preventDefault();
                if (event.ctrlKey || event.metaKey) event.currentTarget.form?.requestSubmit();
                else add(index + 1);
              }
              if (event.key === 'Backspace' && event.currentTarget.value === '') {
                event.preventDefault();
                remove(index);
              }
            }}
          />
          {!isReadOnly && (
            <button
              type="button"
              class="icon"
              aria-label={`Remove ${label} ${String(index + 1)}`}
              onClick={() => remove(index)}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
      ))}
      <div class="list-end">
        {elements.length === 0 && <span class="null">{text === null ? placeholder : 'no elements'}</span>}
        {!isReadOnly && (
          <button
            type="button"
            class="small"
            aria-label={`Add to ${label}`}
            onClick={() => add(elements.length)}
          >
            Add
          </button>
        )}
      </div>
    </div>
  );
}
