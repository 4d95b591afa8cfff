/** A few rows as a plain table. */
import type { JSX } from 'preact';
import { textOf, type JsonRow } from '../json.js';
import { Text, Value } from '../parts.js';

interface RowListProps {
  readonly rows: readonly JsonRow[];
  readonly label?: string;
}

export function RowList({ rows, label = 'Rows' }: RowListProps): JSX.Element {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <div class="row-list" tabIndex={0} role="region" aria-label={label}>
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
                <td key={name} title={textOf(row[name]).slice(0, LONGEST_TITLE)}>
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

const LONGEST_TITLE = 500;
