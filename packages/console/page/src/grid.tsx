/** A table of rows: only those in view are in the document. Arrows move, Enter opens. */
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

const ROW_HEIGHT = 32;

export interface GridColumn {
  readonly name: string;
  readonly header: ComponentChildren;
  readonly sorted: 'ascending' | 'descending' | null;
  readonly isNumber: boolean;
}

interface GridProps {
  readonly label: string;
  readonly columns: readonly GridColumn[];
  readonly count: number;
  readonly cell: (row: number, column: number) => ComponentChildren;
  readonly onOpen: (row: number) => void;
}

export function Grid({ label, columns, count, cell, onOpen }: GridProps): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const [, update] = useState(0);
  const [active, setActive] = useState(0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => update((times) => times + 1),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLDivElement, HTMLTableRowElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);

  function move(event: KeyboardEvent): void {
    const to = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + 10,
      PageUp: active - 10,
      Home: 0,
      End: count - 1,
    }[event.key];
    if (event.key === 'Enter' && event.target instanceof HTMLTableRowElement) {
      event.preventDefault();
      onOpen(active);
    }
    if (to === undefined) return;
    event.preventDefault();
    const row = Math.max(0, Math.min(count - 1, to));
    setActive(row);
    virtualizer.scrollToIndex(row);
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-row="${String(row)}"]`)?.focus(),
    );
  }

  return (
    <div class="grid" ref={scroller} role="region" aria-label={label} tabIndex={-1}>
      <table aria-rowcount={count + 1} onKeyDown={move}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ name, header, sorted, isNumber }) => (
              <th
                key={name}
                scope="col"
                class={isNumber ? 'number' : ''}
                {...(sorted === null ? {} : { 'aria-sort': sorted })}
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden="true" style={{ height: `${String(before)}px` }} />}
          {items.map(({ index }) => (
            <tr
              key={index}
              data-row={index}
              aria-rowindex={index + 2}
              tabIndex={index === active ? 0 : -1}
              onFocus={() => setActive(index)}
              onClick={(event) => {
                if (!(event.target instanceof Element) || event.target.closest('a,button') === null)
                  onOpen(index);
              }}
            >
              {columns.map(({ name, isNumber }, column) => (
                <td key={name} class={isNumber ? 'number' : ''}>
                  {cell(index, column)}
                </td>
              ))}
            </tr>
          ))}
          {after > 0 && <tr aria-hidden="true" style={{ height: `${String(after)}px` }} />}
        </tbody>
      </table>
    </div>
  );
}
