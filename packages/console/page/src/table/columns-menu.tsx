/** Chooses the columns that are shown. */
import type { JSX } from 'preact';
import type { ColumnDetail } from '../../../server/answers.js';
import { Icon } from '../icon.js';
import { Text } from '../parts.js';
import { Popover } from '../popover.js';
import type { Columns } from './columns.js';

interface ColumnsMenuProps {
  /** Those that the role may read. */
  readonly all: readonly ColumnDetail[];
  readonly columns: Columns;
  readonly onChange: (columns: Columns) => void;
}

export function ColumnsMenu({ all, columns, onChange }: ColumnsMenuProps): JSX.Element {
  const { hidden, widths } = columns;
  const shown = all.filter(({ name }) => !hidden.includes(name));
  return (
    <Popover
      title="Columns"
      label={
        <>
          <Icon name="columns" /> Columns
          {shown.length < all.length && (
            <small class="quiet">
              {' '}
              {shown.length} of {all.length}
            </small>
          )}
        </>
      }
    >
      {() => (
        <>
          <ul class="choices">
            {all.map(({ name }) => {
              const isShown = !hidden.includes(name);
              return (
                <li key={name}>
                  <label>
                    <input
                      type="checkbox"
                      checked={isShown}
                      // One column stays.
                      disabled={isShown && shown.length === 1}
                      onChange={() =>
                        onChange({
                          widths,
                          hidden: isShown ? [...hidden, name] : hidden.filter((each) => each !== name),
                        })
                      }
                    />{' '}
                    <Text>{name}</Text>
                  </label>
                </li>
              );
            })}
          </ul>
          <button type="button" onClick={() => onChange({ hidden: [], widths: {} })}>
            Show all, as wide as their content
          </button>
        </>
      )}
    </Popover>
  );
}
