import { getProducts, postProducts, postRpcPriced } from '../out/orval';
import { getProductsResponseItem } from '../out/orval-zod';
import { CHEAP, namesOf, NEW, only, RETURN, SECOND, WRONG, type Outcome } from './outcome';

export async function calls(service: string): Promise<Outcome> {
  const { fetch } = globalThis;
  // The client sends to the page's own origin, which a program has not.
  globalThis.fetch = (path, init) => fetch(new URL(String(path), service), init);
  const list = await getProducts(CHEAP);
  const page = await getProducts(SECOND);
  const made = await postProducts(
    NEW,
    {},
    { headers: { 'Content-Type': 'application/json', Prefer: RETURN } },
  );
  const call = await postRpcPriced({ most: 10 });
  const wrong = await getProducts(WRONG);
  if (list.status !== 200 || page.status !== 200 || made.status !== 201 || call.status !== 200)
    throw new Error('refused');
  return {
    listed: namesOf(list.data.map((row) => getProductsResponseItem.parse(row))),
    paged: namesOf(page.data),
    inserted: only(made.data).name,
    called: namesOf(call.data),
    refused: wrong.status === 400 ? wrong.data.code : '',
  };
}
