/** A client of the router's health checks (grpc.health.v1). */
import { Client, credentials } from '@grpc/grpc-js';
import { until } from '../until.js';

type Serving = 'SERVING' | 'NOT_SERVING';

const asBytes = (bytes: Buffer): Buffer => bytes;
/** `HealthCheckResponse.ServingStatus` as field 1. */
const STATUSES: ReadonlyMap<string, Serving> = new Map([
  ['0801', 'SERVING'],
  ['0802', 'NOT_SERVING'],
]);

export interface HealthClient {
  check(): Promise<Serving>;
  /** Waits until health is as expected. */
  becomes(expected: Serving): Promise<void>;
  close(): void;
}

export function openHealthClient(port: number): HealthClient {
  const client = new Client(`127.0.0.1:${String(port)}`, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
  });
  const check = (): Promise<Serving> =>
    new Promise((resolve, reject) => {
      const path = '/grpc.health.v1.Health/Check';
      client.makeUnaryRequest(path, asBytes, asBytes, Buffer.alloc(0), (error, answer) => {
        const serving = STATUSES.get(answer?.toString('hex') ?? '');
        if (serving === undefined) reject(error ?? new Error('an unknown status of health'));
        else resolve(serving);
      });
    });
  return {
    check,
    async becomes(expected) {
      await until(async () => (await check()) === expected);
    },
    close: () => client.close(),
  };
}
