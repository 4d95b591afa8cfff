import { createApiClient, TypedStatusError } from '../out/typed-openapi';
import { CHEAP, namesOf, NEW, only, RETURN, SECOND, WRONG, type Outcome } from './outcome';

export async function calls(service: string): Promise<Outcome> {
  const api = createApiClient(
    {
      fetch: ({ method, url, urlSearchParams, parameters }) => {
        for (const [key, value] of urlSearchParams ?? []) url.searchParams.append(key, value);
        return fetch(url, {
          method: method.toUpperCase(),
          headers: { 'Content-Type': 'application/json', ...(parameters?.header as Record<string, string>) },
          ...(parameters?.body === undefined ? {} : { body: JSON.stringify(parameters.body) }),
        });
      },
    },
    service,
  );
  const refused = await api.get('/products', { query: WRONG, header: {} }).then(
    () => '',
    (error: unknown) => (error instanceof TypedStatusError ? error.response.data.code : 'another error'),
  );
  return {
    listed: namesOf(await api.get('/products', { query: CHEAP, header: {} })),
    paged: namesOf(await api.get('/products', { query: SECOND, header: {} })),
    inserted: only(await api.post('/products', { query: {}, header: { Prefer: RETURN }, body: NEW })).name,
    called: namesOf(await api.post('/rpc/priced', { query: {}, header: {}, body: { most: 10 } })),
    refused,
  };
}
