import type { Parameter } from './swagger.js';

const query = (name: string, description: string): Parameter => ({
  name,
  description,
  required: false,
  in: 'query',
  type: 'string',
});

const prefer = (...values: readonly string[]): Parameter => ({
  name: 'Prefer',
  description: 'Preference',
  required: false,
  in: 'header',
  type: 'string',
  enum: values,
});

const RETURN = ['return=representation', 'return=minimal', 'return=none'];
const PAGING = 'Limiting and Pagination';

/** The parameters that all relations and functions share. */
export const SHARED_PARAMETERS: Readonly<Record<string, Parameter>> = {
  preferParams: prefer('params=single-object'),
  preferReturn: prefer(...RETURN),
  preferCount: prefer('count=none'),
  preferPost: prefer(...RETURN, 'resolution=ignore-duplicates', 'resolution=merge-duplicates'),
  select: query('select', 'Filtering Columns'),
  on_conflict: query('on_conflict', 'On Conflict'),
  order: query('order', 'Ordering'),
  range: { name: 'Range', description: PAGING, required: false, in: 'header', type: 'string' },
  rangeUnit: {
    name: 'Range-Unit',
    description: PAGING,
    required: false,
    in: 'header',
    type: 'string',
    default: 'items',
  },
  offset: query('offset', PAGING),
  limit: query('limit', PAGING),
};
