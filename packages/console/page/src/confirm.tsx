/** Asks before it acts. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

interface ConfirmProps {
  readonly label: string;
  /** What the second press does, and what it leaves. */
  readonly act: string;
  readonly keep: string;
  readonly kind: 'danger' | 'primary';
  readonly onConfirm: () => void;
}

export function Confirm({ label, act, keep, kind, onConfirm }: ConfirmProps): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  return isAsking ? (
    <>
      <button
        type="button"
        class={kind}
        onClick={() => {
          setAsking(false);
          onConfirm();
        }}
      >
        {act}
      </button>
      <button type="button" onClick={() => setAsking(false)}>
        {keep}
      </button>
    </>
  ) : (
    <button type="button" onClick={() => setAsking(true)}>
      {label}
    </button>
  );
}
