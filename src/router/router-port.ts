/** The gRPC port of the router: health (grpc.health.v1) always, reflection outside production, fed from the buf image. */
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../package-root.js';

export interface RouterPortOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Whether clients may ask for the descriptors. */
  readonly reflection: boolean;
}

export interface RouterPort {
  readonly port: number;
  /** Says NOT_SERVING, lets calls in flight finish, and closes what is left after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** @throws Error when the address cannot be taken */
export async function openRouterPort({ host, port, reflection }: RouterPortOptions): Promise<RouterPort> {
  const server = new Server();
  const health = new HealthImplementation({ '': 'SERVING' });
  health.addToServer(server);
  if (reflection) {
    const image = readFileSync(join(packageRoot(), 'generated', 'router.binpb'));
    new ReflectionService(loadFileDescriptorSetFromBuffer(image, { longs: String })).addToServer(server);
  }
  const taken = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    port: taken,
    async stop(graceMs) {
      health.setStatus('', 'NOT_SERVING');
      const closed = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      const timer = setTimeout(() => server.forceShutdown(), graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}
