/** A modal panel at the side; the whole screen on a phone. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.js';
import { mayDiscard } from './unsaved.js';

interface PanelProps {
  readonly title: ComponentChildren;
  readonly label: string;
  /** Beside the title. */
  readonly actions?: ComponentChildren;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Escape closes it, and the focus returns. It asks before it discards edits. */
export function Panel({ title, label, actions, onClose, children }: PanelProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opened = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opened instanceof HTMLElement && opened.isConnected) opened.focus();
    };
  }, []);
  const close = (): void => {
    if (mayDiscard()) dialog.current?.close();
  };
  return (
    <dialog
      ref={dialog}
      class="panel"
      aria-label={label}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
      // The browser closes a dialog at the second Escape in a row, whatever `cancel` answers.
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.isComposing) return;
        event.preventDefault();
        close();
      }}
      onCancel={(event) => {
        if (!mayDiscard()) event.preventDefault();
      }}
    >
      <div class="panel-content">
        <div class="panel-head">
          <h2>{title}</h2>
          {actions}
          <button type="button" class="icon" aria-label="Close" onClick={close}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
