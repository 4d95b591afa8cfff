/** The methods of a generated service in the form of grpc-js. */
import { fromBinary, toBinary, type DescMethod, type MessageShape } from '@bufbuild/protobuf';
import type { GenService, GenServiceMethods } from '@bufbuild/protobuf/codegenv2';
import type * as grpc from '@grpc/grpc-js';

/** Messages are encoded by protobuf-es. */
export function serviceDefinition(service: GenService<GenServiceMethods>): grpc.ServiceDefinition {
  return Object.fromEntries(
    service.methods.map((method) => [
      method.localName,
      {
        path: `/${service.typeName}/${method.name}`,
        requestStream: method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming',
        responseStream: method.methodKind === 'server_streaming' || method.methodKind === 'bidi_streaming',
        requestSerialize: serializer(method.input),
        requestDeserialize: (bytes: Buffer) => fromBinary(method.input, bytes),
        responseSerialize: serializer(method.output),
        responseDeserialize: (bytes: Buffer) => fromBinary(method.output, bytes),
      },
    ]),
  );
}

/**
 * The same for a server that receives requests as bytes. The service then refuses bytes that cannot be decoded, which
 * grpc-js would report as INTERNAL.
 */
export const bytesDefinition = (service: GenService<GenServiceMethods>): grpc.ServiceDefinition =>
  Object.fromEntries(
    Object.entries(serviceDefinition(service)).map(([name, method]) => [
      name,
      { ...method, requestDeserialize: (bytes: Buffer) => bytes },
    ]),
  );

const serializer =
  <Desc extends DescMethod['output']>(schema: Desc) =>
  (message: MessageShape<Desc>): Buffer => {
    const bytes = toBinary(schema, message);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
