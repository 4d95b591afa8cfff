/** Asks before it deletes. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

interface DeleteProps {
  /** What is deleted, such as `this row`. */
  readonly what: string;
  readonly onDelete: () => void;
}

export function Delete({ what, onDelete }: DeleteProps): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  return isAsking ? (
    <>
      <button
        type="button"
        class="danger"
        onClick={() => {
          setAsking(false);
          onDelete();
        }}
      >
        Delete {what}
      </button>
      <button type="button" onClick={() => setAsking(false)}>
        {what.startsWith('this') ? 'Keep it' : 'Keep them'}
      </button>
    </>
  ) : (
    <button type="button" onClick={() => setAsking(true)}>
      Delete…
    </button>
  );
}
