import { setConfig } from '@kubb/plugin-client/clients/fetch';
import { getProducts, postProducts, postRpcPriced } from '../out/kubb/clients/index';
import { CHEAP, namesOf, NEW, only, RETURN, SECOND, WRONG, type Outcome } from './outcome';

export async function calls(service: string): Promise<Outcome> {
  setConfig({ baseURL: service, headers: { 'Content-Type': 'application/json' } });
  const wrong: unknown = await getProducts(WRONG);
  return {
    listed: namesOf(await getProducts(CHEAP)),
    paged: namesOf(await getProducts(SECOND)),
    inserted: only(await postProducts(NEW, {}, { Prefer: RETURN })).name,
    called: namesOf(await postRpcPriced({ most: 10 })),
    // Its fetch does not throw.
    refused: (wrong as { readonly code: string }).code,
  };
}
