/** A table of rows: only those in view are in the document. Arrows move, Enter opens, Space selects. */
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ResizeHandle } from './resize-handle.js';

const ROW_HEIGHT = 32;

export interface GridColumn {
  readonly name: string;
  readonly header: ComponentChildren;
  readonly sorted: 'ascending' | 'descending' | null;
  readonly isNumber: boolean;
  /** In pixels; null for the width of the content. */
  readonly width: number | null;
}

export interface GridSelection {
  readonly has: (row: number) => boolean;
  readonly state: 'none' | 'some' | 'all';
  /** @param isRange whether the rows between this one and the last one change too */
  readonly toggle: (row: number, isRange: boolean) => void;
  readonly toggleAll: () => void;
}

interface GridProps {
  readonly label: string;
  readonly columns: readonly GridColumn[];
  readonly count: number;
  readonly cell: (row: number, column: number) => ComponentChildren;
  readonly onOpen: (row: number) => void;
  readonly onResize: (name: string, width: number | null) => void;
  /** Null where rows cannot be selected. */
  readonly selection: GridSelection | null;
}

const widthOf = ({ width }: GridColumn) =>
  width === null
    ? {}
    : {
        style: {
          width: `${String(width)}px`,
          minWidth: `${String(width)}px`,
          maxWidth: `${String(width)}px`,
        },
      };

export function Grid(props: GridProps): JSX.Element {
  const { label, columns, count, cell, onOpen, onResize, selection } = props;
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
    const isOfRow = event.target instanceof HTMLTableRowElement;
    const to = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + 10,
      PageUp: active - 10,
      Home: 0,
      End: count - 1,
    }[event.key];
    if (event.key === 'Enter' && isOfRow) {
      event.preventDefault();
      onOpen(active);
    }
    if (event.key === ' ' && isOfRow && selection !== null) {
      event.preventDefault();
      selection.toggle(active, event.shiftKey);
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
            {selection !== null && (
              <th scope="col" class="pick">
                <input
                  type="checkbox"
                  aria-label="Select all rows of this page"
                  checked={selection.state === 'all'}
                  ref={(element) => {
                    if (element !== null) element.indeterminate = selection.state === 'some';
                  }}
                  onChange={selection.toggleAll}
                />
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                class={column.isNumber ? 'number' : ''}
                {...widthOf(column)}
                {...(column.sorted === null ? {} : { 'aria-sort': column.sorted })}
              >
                {column.header}
                <ResizeHandle onResize={(width) => onResize(column.name, width)} />
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
              class={selection?.has(index) === true ? 'selected' : ''}
              aria-rowindex={index + 2}
              tabIndex={index === active ? 0 : -1}
              onFocus={() => setActive(index)}
              onClick={(event) => {
                if (!(event.target instanceof Element) || event.target.closest('a,button,.pick') === null)
                  onOpen(index);
              }}
            >
              {selection !== null && (
                <th class="pick" scope="row">
                  <input
                    type="checkbox"
                    tabIndex={-1}
                    aria-label={`Select row ${String(index + 1)}`}
                    checked={selection.has(index)}
                    onClick={(event) => selection.toggle(index, event.shiftKey)}
                  />
                </th>
              )}
              {columns.map((column, place) => (
                <td key={column.name} class={column.isNumber ? 'number' : ''} {...widthOf(column)}>
                  {cell(index, place)}
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
