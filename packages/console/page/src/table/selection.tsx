/** What can be done with the rows that are selected. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Catalogue, RelationDetail } from '../../../server/answers.js';
import { send } from '../api.js';
import { ErrorBox } from '../parts.js';
import { Delete } from '../row/delete-button.js';
import { deletedRows, deleteRequest } from '../row/delete-requests.js';

interface SelectionProps {
  readonly catalogue: Catalogue;
  readonly relation: RelationDetail;
  readonly keys: readonly (readonly string[])[];
  readonly onClear: () => void;
  /** Rows were deleted. */
  readonly onDeleted: (report: string) => void;
}

const rowsText = (count: number): string => `${String(count)} ${count === 1 ? 'row' : 'rows'}`;

export function Selection({ catalogue, relation, keys, onClear, onDeleted }: SelectionProps): JSX.Element {
  const [error, setError] = useState<unknown>(null);

  async function remove(): Promise<void> {
    const request = deleteRequest(relation, keys, catalogue.schemas);
    if (request === null) return;
    try {
      const { headers, body } = await send(request);
      const deleted = deletedRows(headers, body);
      onDeleted(
        deleted === keys.length
          ? `${rowsText(deleted)} deleted.`
          : `${String(deleted)} of ${rowsText(keys.length)} deleted: policies keep the others, or they were gone.`,
      );
    } catch (reason) {
      setError(reason);
    }
  }

  return (
    <div class="selection" role="group" aria-label="Selected rows">
      <b role="status">{rowsText(keys.length)} selected</b>
      {relation.privileges.delete && (
        <Delete
          what={keys.length === 1 ? 'this row' : `these ${String(keys.length)} rows`}
          onDelete={() => void remove()}
        />
      )}
      <button type="button" onClick={onClear}>
        Clear the selection
      </button>
      {error !== null && <ErrorBox error={error} />}
    </div>
  );
}
