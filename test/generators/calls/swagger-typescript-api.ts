import { Api, type Error as Refusal, type HttpResponse } from '../out/swagger-typescript-api/api';
import { CHEAP, namesOf, NEW, only, RETURN, SECOND, WRONG, type Outcome } from './outcome';

export async function calls(service: string): Promise<Outcome> {
  const api = new Api({ baseUrl: service });
  const list = await api.products.getProducts(CHEAP);
  const page = await api.products.getProducts(SECOND);
  const made = await api.products.postProducts(NEW, {}, { headers: { Prefer: RETURN } });
  const call = await api.rpc.postRpcPriced({ most: 10 });
  const refused = await api.products.getProducts(WRONG).then(
    () => '',
    (response: HttpResponse<unknown, Refusal>) => response.error.code,
  );
  return {
    listed: namesOf(list.data),
    paged: namesOf(page.data),
    inserted: only(made.data).name,
    called: namesOf(call.data),
    refused,
  };
}
