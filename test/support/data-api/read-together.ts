/** Sends reads so that they arrive together, and counts those that have shared a statement. */
import type { DataApiService } from './data-api-service.js';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly range: string | null;
}

export async function read(
  service: Pick<DataApiService, 'url'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await fetch(service.url + path, { headers });
  return {
    status: response.status,
    body: await response.text(),
    range: response.headers.get('content-range'),
  };
}

/** Sends requests at once, some times, so that their shapes are known and they arrive together. */
export async function together<T>(send: () => readonly Promise<T>[]): Promise<readonly T[]> {
  for (let round = 0; round < 3; round += 1) await Promise.all(send());
  return Promise.all(send());
}

/** Reads that have shared a statement, and their statements. */
export async function sharedCounts(
  service: Pick<DataApiService, 'adminUrl'>,
): Promise<{ readonly reads: number; readonly statements: number }> {
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
  const valueOf = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  return { reads: valueOf('dbr_shared_reads_total'), statements: valueOf('dbr_shared_statements_total') };
}
