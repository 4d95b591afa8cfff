/** A part of a panel whose content is made when it is opened. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';

export function Section({
  title,
  children,
}: {
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="section" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}
