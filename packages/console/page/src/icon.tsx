/** Drawings in a square of 16 by 16. They follow the colour of the text, and are hidden from screen readers. */
import type { JSX } from 'preact';

const PATHS = {
  menu: 'M2 4h12M2 8h12M2 12h12',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  refresh: 'M13.5 8a5.5 5.5 0 1 1-1.6-3.9M13.5 1.5v3.2h-3.2',
  columns: 'M2 3h12v10H2zM6 3v10M10 3v10',
  download: 'M8 2v8M4.8 7 8 10.2 11.2 7M2.5 13.5h11',
  upload: 'M8 10.5v-8M4.8 5.7 8 2.5l3.2 3.2M2.5 13.5h11',
  lock: 'M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  key: 'M10.5 1.9a3.6 3.6 0 1 1-2.3 6.4L2.5 14H1v-2l1-1h1.6v-1.6l3.4-3.2a3.6 3.6 0 0 1 3.5-4.3Z',
  down: 'M4 6l4 4 4-4',
  link: 'M6.5 9.5l3-3M7 4.5l1-1a3 3 0 0 1 4.5 4.3l-1.2 1.1M9 11.5l-1 1a3 3 0 0 1-4.5-4.3l1.2-1.1',
  external: 'M6 3H3v10h10v-3M9 2.5h4.5V7M13 3 7.5 8.5',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name, label }: { readonly name: IconName; readonly label?: string }): JSX.Element => (
  <svg
    class={`drawn drawn-${name}`}
    viewBox="0 0 16 16"
    width="14"
    height="14"
    fill="none"
    stroke="currentColor"
    stroke-width="1.6"
    stroke-linecap="round"
    stroke-linejoin="round"
    {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
  >
    <path d={PATHS[name]} />
  </svg>
);
