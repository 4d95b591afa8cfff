import createClient from 'openapi-fetch';
import type { paths as OddPaths } from '../out/odd';
import type { paths } from '../out/openapi-typescript';
import { CHEAP, namesOf, NEW, only, RETURN, SECOND, WRONG, type Outcome } from './outcome';

export async function calls(service: string): Promise<Outcome> {
  const client = createClient<paths>({ baseUrl: service });
  const list = await client.GET('/products', { params: { query: CHEAP } });
  const page = await client.GET('/products', { params: { query: SECOND } });
  const made = await client.POST('/products', { params: { header: { Prefer: RETURN } }, body: NEW });
  const call = await client.POST('/rpc/priced', { body: { most: 10 } });
  const { error } = await client.GET('/products', { params: { query: WRONG } });
  // Names that would be parameters or paths are quoted.
  const odd = await createClient<OddPaths>({ baseUrl: service }).GET('/odd', {
    params: { query: { '"select"': 'eq.s', '"a.b"': 'eq.1' }, header: { 'Accept-Profile': 'odd' } },
  });
  if (odd.data?.length !== 1) throw new Error('columns with reserved names are not filtered');
  return {
    listed: namesOf(list.data ?? []),
    paged: namesOf(page.data ?? []),
    inserted: only(made.data ?? []).name,
    called: namesOf(call.data ?? []),
    refused: error?.code ?? '',
  };
}
