/** Bytes of a row: a picture where they are one, taken from a file and saved as one. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { saveFile } from '../save-file.js';
import { bytesOf, bytesText, hexOf, isHex, isPicture, mediaTypeOf } from './bytes.js';
import { Picture } from './picture.js';

interface FileFieldProps {
  readonly id: string;
  readonly label: string;
  /** `\x…`; null if the field has no value. */
  readonly text: string | null;
  readonly placeholder: string;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
}

/** Bytes that are shown as digits, which can be edited. */
const MOST_EDITED = 256;

const ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'application/gzip': 'gz',
};
const endingOf = (type: string | null): string =>
  type === null ? 'bin' : (ENDINGS[type] ?? type.slice(type.indexOf('/') + 1));

export function FileField({
  id,
  label,
  text,
  placeholder,
  isReadOnly,
  onChange,
}: FileFieldProps): JSX.Element {
  const file = useRef<HTMLInputElement>(null);
  const [error, setError] = useState('');
  const isFile = text !== null && isHex(text) && text.length > 2;
  const type = isFile ? mediaTypeOf(text) : null;
  const isEdited = text === null || !isFile || text.length <= 2 * MOST_EDITED;

  async function take(): Promise<void> {
    const [chosen] = file.current?.files ?? [];
    if (chosen === undefined) return;
    try {
      onChange(hexOf(new Uint8Array(await chosen.arrayBuffer())));
      setError('');
    } catch {
      setError('The file could not be read.');
    }
  }

  return (
    <div class="file">
      {isFile && isPicture(type) && <Picture text={text} label={`${label}, ${bytesText(text)}`} />}
      {isEdited ? (
        <input
          id={id}
          value={text ?? ''}
          placeholder={placeholder === '' ? '\\x…' : placeholder}
          readOnly={isReadOnly}
          autocomplete="off"
          spellcheck={false}
          aria-describedby={`${id}-type`}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <output id={id}>{bytesText(text)}</output>
      )}
      <div class="actions">
        {!isReadOnly && (
          <>
            <input
              ref={file}
              type="file"
              hidden
              aria-label={`File of ${label}`}
              onChange={() => void take()}
            />
            <button type="button" class="small" onClick={() => file.current?.click()}>
              Take a file…
            </button>
          </>
        )}
        {isFile && (
          <button
            type="button"
            class="small"
            onClick={() =>
              saveFile(
                `${label}.${endingOf(type)}`,
                new Blob([bytesOf(text)], { type: type ?? 'application/octet-stream' }),
              )
            }
          >
            Save as a file
          </button>
        )}
      </div>
      {error !== '' && <p role="alert">{error}</p>}
    </div>
  );
}
