import { QueryClient } from '@tanstack/query-core';
import { client } from '../out/hey-api/client.gen';
import { getProducts, postProducts, postRpcPriced } from '../out/hey-api/sdk.gen';
import { getProductsOptions } from '../out/hey-api/@tanstack/react-query.gen';
import { zProducts } from '../out/hey-api/zod.gen';
import { CHEAP, namesOf, NEW, only, RETURN, SECOND, WRONG, type Outcome } from './outcome';

export async function calls(service: string): Promise<Outcome> {
  client.setConfig({ baseUrl: service });
  const listed = await new QueryClient().fetchQuery(getProductsOptions({ query: CHEAP }));
  const page = await getProducts({ query: SECOND });
  const made = await postProducts({ headers: { Prefer: RETURN }, body: NEW });
  const call = await postRpcPriced({ body: { most: 10 } });
  const { error } = await getProducts({ query: WRONG });
  return {
    listed: namesOf(listed.map((row) => zProducts.parse(row))),
    paged: namesOf(page.data ?? []),
    inserted: only(made.data ?? []).name,
    called: namesOf(call.data ?? []),
    refused: error?.code ?? '',
  };
}
