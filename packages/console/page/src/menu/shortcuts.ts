/** Ctrl+K, Cmd+K and `/` lead to the search of the menu. */
import { useEffect } from 'preact/hooks';

export const SEARCH_ID = 'find';

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

/** @param onFind shows the menu where it is hidden */
export function useShortcuts(onFind: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k';
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !isWriting(event.target);
      if ((!isCommand && !isSlash) || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      onFind();
      // The search has the focus at once, so that no key is lost. The menu of a phone is shown in the next frame.
      if (!focusSearch()) requestAnimationFrame(focusSearch);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/** Returns false where the search is hidden. */
function focusSearch(): boolean {
  const input = document.getElementById(SEARCH_ID);
  if (!(input instanceof HTMLInputElement)) return false;
  input.focus();
  input.select();
  return document.activeElement === input;
}
