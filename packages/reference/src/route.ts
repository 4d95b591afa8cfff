/** The address of what is shown, in the fragment. */
export interface Route {
  readonly kind: 'start' | 'operation' | 'table' | 'function';
  /** Name of the table or function, or identifier of the operation; empty at the start. */
  readonly name: string;
  /** The operation that is shown of a table or function; empty for the first. */
  readonly method: string;
  /** Empty for the first schema. */
  readonly schema: string;
  /** The part of the page that the address leads to; empty for the whole. */
  readonly section?: string;
}

const SEGMENTS = { operation: 'operations', table: 'tables', function: 'functions' } as const;

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

export function addressOf({
  kind,
  name,
  method = '',
  schema,
}: Omit<Route, 'method'> & { readonly method?: string }): string {
  const query = schema === '' ? '' : `?schema=${encode(schema)}`;
  if (kind === 'start') return `#/${query}`;
  return `#/${SEGMENTS[kind]}/${encode(name)}${method === '' ? '' : `/${encode(method)}`}${query}`;
}

/** The address of a section of what is shown. */
export function sectionAddress(hash: string, section: string): string {
  const [path = '#/', query = ''] = hash.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('section', section);
  return `${path === '' ? '#/' : path}?${parameters.toString()}`;
}

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [segment = '', name = '', method = ''] = path.split('/').map(decode);
  const parameters = new URLSearchParams(query);
  const schema = parameters.get('schema') ?? '';
  const section = parameters.get('section') ?? '';
  const kinds = ['operation', 'table', 'function'] as const;
  const kind = kinds.find((each) => SEGMENTS[each] === segment);
  return kind === undefined || name === ''
    ? { kind: 'start', name: '', method: '', schema, section }
    : { kind, name, method, schema, section };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
