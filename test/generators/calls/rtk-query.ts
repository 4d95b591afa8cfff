import { configureStore } from '@reduxjs/toolkit';
import { api } from '../out/rtk';
import { CHEAP, namesOf, NEW, only, RETURN, SECOND, WRONG, type Outcome } from './outcome';

/** Its base address is that of SERVICE (`configs/rtk-api.ts`). */
export async function calls(): Promise<Outcome> {
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (defaults) => defaults().concat(api.middleware),
  });
  const { getProducts, postProducts, postRpcPriced } = api.endpoints;
  const list = await store.dispatch(getProducts.initiate(CHEAP));
  const page = await store.dispatch(getProducts.initiate(SECOND));
  const made = await store.dispatch(postProducts.initiate({ body: NEW, prefer: RETURN }));
  const call = await store.dispatch(postRpcPriced.initiate({ body: { most: 10 } }));
  const wrong = await store.dispatch(getProducts.initiate(WRONG));
  return {
    listed: namesOf(list.data ?? []),
    paged: namesOf(page.data ?? []),
    inserted: only(made.data ?? []).name,
    called: namesOf(call.data ?? []),
    refused:
      wrong.error !== undefined && 'data' in wrong.error
        ? (wrong.error.data as { readonly code: string }).code
        : '',
  };
}
