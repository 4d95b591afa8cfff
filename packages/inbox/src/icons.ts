/** Drawings of the inbox: paths in a square of 24 by 24. */
export const ICONS = {
  bell: ['M6 9a6 6 0 0 1 12 0c0 5 2 6 2 8H4c0-2 2-3 2-8', 'M10 20a2 2 0 0 0 4 0'],
  settings: [
    'M4 7h9M17 7h3M4 17h3M11 17h9',
    'M13 7a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
    'M7 17a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
  ],
  readAll: ['M2 13l4 4 8-9', 'M11 16l1 1 9-10'],
  close: ['M6 6l12 12M18 6L6 18'],
} as const;
