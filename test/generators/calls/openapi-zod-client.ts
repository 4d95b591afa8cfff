import { isErrorFromAlias } from '@zodios/core';
import { createApiClient } from '../out/openapi-zod-client';
import { CHEAP, namesOf, NEW, only, RETURN, SECOND, WRONG, type Outcome } from './outcome';

export async function calls(service: string): Promise<Outcome> {
  const api = createApiClient(service);
  const refused = await api.get_products({ queries: WRONG }).then(
    () => '',
    (error: unknown) =>
      isErrorFromAlias(api.api, 'get_products', error) ? error.response.data.code : 'another error',
  );
  return {
    listed: namesOf(await api.get_products({ queries: CHEAP })),
    paged: namesOf(await api.get_products({ queries: SECOND })),
    inserted: only(await api.post_products(NEW, { headers: { Prefer: RETURN } })).name,
    called: namesOf(await api.post_rpc_priced({ most: 10 })),
    refused,
  };
}
