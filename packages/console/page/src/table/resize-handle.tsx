/** The edge of a column, which a pointer moves; a double click lets the content decide again. Keys do it at the name. */
import type { JSX } from 'preact';

export function ResizeHandle({
  onResize,
}: {
  readonly onResize: (width: number | null) => void;
}): JSX.Element {
  function drag(event: PointerEvent & { readonly currentTarget: HTMLElement }): void {
    const header = event.currentTarget.parentElement;
    if (header === null || event.button !== 0) return;
    event.preventDefault();
    const left = header.getBoundingClientRect().left;
    const handle = event.currentTarget;
    handle.setPointerCapture(event.pointerId);
    const move = ({ clientX }: PointerEvent): void => onResize(clientX - left);
    const end = (): void => {
      handle.removeEventListener('pointermove', move);
      handle.removeEventListener('pointerup', end);
      handle.removeEventListener('pointercancel', end);
    };
    handle.addEventListener('pointermove', move);
    handle.addEventListener('pointerup', end);
    handle.addEventListener('pointercancel', end);
  }
  return <span class="resize" aria-hidden="true" onPointerDown={drag} onDblClick={() => onResize(null)} />;
}
