import { HttpError, ok } from '@oazapfts/runtime';
import { defaults, getProducts, postProducts, postRpcPriced } from '../out/oazapfts';
import { CHEAP, namesOf, NEW, only, RETURN, SECOND, WRONG, type Outcome } from './outcome';

export async function calls(service: string): Promise<Outcome> {
  defaults.baseUrl = service;
  const refused = await ok(getProducts(WRONG)).then(
    () => '',
    (error: unknown) =>
      error instanceof HttpError ? (error.data as { readonly code: string }).code : 'another error',
  );
  return {
    listed: namesOf(await ok(getProducts(CHEAP))),
    paged: namesOf(await ok(getProducts(SECOND))),
    inserted: only(await ok(postProducts(NEW, { prefer: RETURN }))).name,
    called: namesOf(await ok(postRpcPriced({ most: 10 }))),
    refused,
  };
}
