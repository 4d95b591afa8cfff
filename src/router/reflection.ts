/**
 * Server reflection (https://github.com/grpc/grpc/blob/master/doc/server-reflection.md). What the library needs for it
 * takes longer to build than the rest of the router, so that it is built with the first call.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { status, type Server, type ServerDuplexStream, type ServiceDefinition } from '@grpc/grpc-js';
import { packageRoot } from '../base/package.js';

const VERSIONS = ['v1', 'v1alpha'] as const;
const METHOD = 'ServerReflectionInfo';

/** The part of a stream that the library uses, with decoded messages. */
interface MessageStream {
  on(event: 'data' | 'end', listener: (message: unknown) => void): void;
  write(message: unknown): void;
  end(): void;
}

// A type rather than an interface, so that it is one of the implementations that a server accepts.
type Implementation = { readonly [METHOD]: (stream: MessageStream) => void };

/** One version of the service, as the library adds it to a server. */
interface Service {
  readonly definition: ServiceDefinition;
  readonly implementation: Implementation;
}

/** Adds both versions of the service. */
export function serveReflection(server: Server): void {
  let services: Promise<readonly Service[]> | null = null;
  for (const [at, version] of VERSIONS.entries()) {
    const serve = async (call: ServerDuplexStream<Buffer, Buffer>): Promise<void> => {
      services ??= buildServices().catch((error: unknown) => {
        services = null;
        throw error;
      });
      const service = (await services)[at];
      if (service === undefined) throw new Error(`the library has no reflection ${version}`);
      service.implementation[METHOD](decoded(call, service.definition));
    };
    server.register(
      `/grpc.reflection.${version}.ServerReflection/${METHOD}`,
      (call: ServerDuplexStream<Buffer, Buffer>) => {
        serve(call).catch((error: unknown) => fail(call, error));
      },
      unchanged,
      unchanged,
      'bidi',
    );
  }
}

const unchanged = (bytes: Buffer): Buffer => bytes;

async function buildServices(): Promise<readonly Service[]> {
  const [{ ReflectionService }, { loadFileDescriptorSetFromBuffer }, image] = await Promise.all([
    import('@grpc/reflection'),
    import('@grpc/proto-loader'),
    readFile(join(packageRoot(), 'generated', 'router.binpb')),
  ]);
  const services: Service[] = [];
  new ReflectionService(loadFileDescriptorSetFromBuffer(image)).addToServer({
    addService(definition: ServiceDefinition, implementation: Implementation) {
      services.push({ definition, implementation });
    },
  });
  return services;
}

/** @param call whose messages are bytes */
function decoded(call: ServerDuplexStream<Buffer, Buffer>, definition: ServiceDefinition): MessageStream {
  const method = definition[METHOD];
  if (method === undefined) throw new Error(`the library has no ${METHOD}`);
  return {
    on(event, listener) {
      call.on(event, (bytes?: Buffer) => {
        try {
          listener(bytes === undefined ? undefined : method.requestDeserialize(bytes));
        } catch (error) {
          fail(call, error);
        }
      });
    },
    write: (message) => void call.write(method.responseSerialize(message)),
    end: () => void call.end(),
  };
}

function fail(call: ServerDuplexStream<Buffer, Buffer>, error: unknown): void {
  const details = error instanceof Error ? error.message : String(error);
  call.emit('error', { code: status.INTERNAL, details });
}
