/** Edits that are not saved: what would end their screen asks first. One form has them at a time. */
import { useLayoutEffect } from 'preact/hooks';

let hasUnsaved = false;

/** Notes whether the form that is shown has edits. */
export function useUnsaved(isUnsaved: boolean): void {
  // Before the next key: an effect would run after the screen is painted.
  useLayoutEffect(() => {
    if (!isUnsaved) return undefined;
    // The browser asks before it leaves the page.
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    hasUnsaved = true;
    addEventListener('beforeunload', ask);
    return () => {
      hasUnsaved = false;
      removeEventListener('beforeunload', ask);
    };
  }, [isUnsaved]);
}

/** Whether the form may end: it has no edits, or the user gives them up. It is asked once. */
export function mayDiscard(): boolean {
  if (hasUnsaved && confirm('Discard the changes that are not saved?')) hasUnsaved = false;
  return !hasUnsaved;
}

/** The edits are saved, or their row is gone. */
export const forgetUnsaved = (): void => {
  hasUnsaved = false;
};
