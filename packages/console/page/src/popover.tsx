/** A button that opens a small box below it. Escape and a click beside it close the box. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface PopoverProps {
  readonly label: ComponentChildren;
  /** The name of the box. */
  readonly title: string;
  /** @param close for what ends the choice */
  readonly children: (close: () => void) => ComponentChildren;
}

export function Popover({ label, title, children }: PopoverProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return undefined;
    place.current?.querySelector<HTMLElement>('.popover :is(button, input, a)')?.focus();
    const leave = ({ target }: Event): void => {
      if (target instanceof Node && place.current?.contains(target) === false) setOpen(false);
    };
    addEventListener('pointerdown', leave);
    return () => removeEventListener('pointerdown', leave);
  }, [isOpen]);
  return (
    <div
      ref={place}
      class="popover-place"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        close();
      }}
    >
      <button ref={button} type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {label}
      </button>
      {isOpen && (
        <div class="popover" role="group" aria-label={title}>
          {children(close)}
        </div>
      )}
    </div>
  );
}
