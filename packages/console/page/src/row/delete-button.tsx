/** Asks before it deletes. */
import type { JSX } from 'preact';
import { Confirm } from '../confirm.js';

interface DeleteProps {
  /** What is deleted, such as `this row`. */
  readonly what: string;
  readonly onDelete: () => void;
}

export const Delete = ({ what, onDelete }: DeleteProps): JSX.Element => (
  <Confirm
    label="Delete…"
    act={`Delete ${what}`}
    keep={what.startsWith('this') ? 'Keep it' : 'Keep them'}
    kind="danger"
    onConfirm={onDelete}
  />
);
