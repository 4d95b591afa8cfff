/** A group of the menu that folds. What is shown is never in a folded group. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isFolded, setFolded } from './folded.js';

interface FoldProps {
  /** Under which the browser keeps whether it is folded. */
  readonly id: string;
  readonly label: ComponentChildren;
  readonly title: string;
  readonly isFirst: boolean;
  readonly count: number;
  /** Of the whole menu. */
  readonly entries: number;
  readonly holdsCurrent: boolean;
  readonly children: ComponentChildren;
}

export function Fold(props: FoldProps): JSX.Element {
  const { id, label, title, isFirst, count, entries, holdsCurrent, children } = props;
  const [isOpen, setOpen] = useState(holdsCurrent || !isFolded(id, isFirst, entries));
  useEffect(() => {
    if (holdsCurrent) setOpen(true);
  }, [holdsCurrent]);
  return (
    <details
      open={isOpen}
      onToggle={(event) => {
        if (event.target !== event.currentTarget || event.currentTarget.open === isOpen) return;
        setFolded(id, !event.currentTarget.open);
        setOpen(event.currentTarget.open);
      }}
    >
      <summary title={title}>
        <h2>{label}</h2> <small>{count}</small>
      </summary>
      {children}
    </details>
  );
}
