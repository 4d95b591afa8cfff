import '@angular/compiler';
import { HttpClient, HttpErrorResponse, provideHttpClient, withFetch } from '@angular/common/http';
import {
  createEnvironmentInjector,
  type EnvironmentInjector,
  Injector,
  provideZonelessChangeDetection,
  ɵINJECTOR_SCOPE as SCOPE,
} from '@angular/core';
import { Api } from '../out/ng-openapi-gen/api';
import { ApiConfiguration } from '../out/ng-openapi-gen/api-configuration';
import { getProducts, postProducts, postRpcPriced } from '../out/ng-openapi-gen/functions';
import { CHEAP, namesOf, NEW, only, RETURN, SECOND, WRONG, type Outcome } from './outcome';

export async function calls(service: string): Promise<Outcome> {
  const root = Injector.create({ providers: [] }) as EnvironmentInjector;
  const providers = [
    provideZonelessChangeDetection(),
    provideHttpClient(withFetch()),
    { provide: SCOPE, useValue: 'root' },
  ];
  const injector = createEnvironmentInjector(providers, root);
  const configuration = new ApiConfiguration();
  configuration.rootUrl = service;
  const api = new Api(configuration, injector.get(HttpClient));
  const refused = await api.invoke(getProducts, WRONG).then(
    () => '',
    (error: unknown) =>
      error instanceof HttpErrorResponse ? (error.error as { readonly code: string }).code : 'another error',
  );
  return {
    listed: namesOf(await api.invoke(getProducts, CHEAP)),
    paged: namesOf(await api.invoke(getProducts, SECOND)),
    inserted: only(await api.invoke(postProducts, { body: NEW, Prefer: RETURN })).name,
    called: namesOf(await api.invoke(postRpcPriced, { body: { most: 10 } })),
    refused,
  };
}
