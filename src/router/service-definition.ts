/** The methods of a generated service in the form of grpc-js. */
import {
  create,
  fromBinary,
  toBinary,
  type DescMethod,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
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
 * The same for a server that receives requests and sends responses as bytes. The service then refuses bytes that cannot be
 * decoded, which grpc-js would report as INTERNAL.
 */
export const bytesDefinition = (service: GenService<GenServiceMethods>): grpc.ServiceDefinition =>
  Object.fromEntries(
    Object.entries(serviceDefinition(service)).map(([name, method]) => [
      name,
      {
        ...method,
        requestDeserialize: (bytes: Buffer) => bytes,
        responseSerialize: (bytes: Buffer) => bytes,
      },
    ]),
  );

const serializer =
  <Desc extends DescMethod['output']>(schema: Desc) =>
  (message: MessageShape<Desc>): Buffer => {
    const bytes = toBinary(schema, message);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };

/** Encodes messages of a description from their fields. */
export function encoderOf<Desc extends DescMethod['output']>(
  schema: Desc,
): (init: MessageInitShape<Desc>) => Buffer {
  const serialize = serializer(schema);
  return (init) => serialize(create(schema, init));
}
