/** The pages of a view, and how many rows one has. */
import type { JSX } from 'preact';
import { PAGE_SIZES, type View } from '../data-request.js';

interface PagerProps {
  readonly view: View;
  readonly rows: number;
  readonly next: string | undefined;
  /** Null for the first page. */
  readonly previous: string | null | undefined;
  readonly onChange: (view: View) => void;
}

export function Pager({ view, rows, next, previous, onChange }: PagerProps): JSX.Element {
  const sizes = [...new Set([...PAGE_SIZES, view.limit])].sort((one, other) => one - other);
  return (
    <nav class="pages" aria-label="Pages">
      <span class="quiet">
        {rows.toLocaleString('en')} {rows === 1 ? 'row' : 'rows'} on this page
      </span>
      <label class="page-size">
        Rows a page{' '}
        <select
          value={String(view.limit)}
          onChange={(event) => onChange({ ...view, page: null, limit: Number(event.currentTarget.value) })}
        >
          {sizes.map((size) => (
            <option key={size} value={String(size)}>
              {size}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        disabled={previous === undefined}
        onClick={() => onChange({ ...view, page: previous ?? null })}
      >
        Previous
      </button>
      <button
        type="button"
        disabled={next === undefined}
        onClick={() => onChange({ ...view, page: next ?? null })}
      >
        Next
      </button>
    </nav>
  );
}
