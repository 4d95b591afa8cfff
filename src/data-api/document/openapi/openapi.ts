/** The parts of an OpenAPI 3.1 document that the description of the data API uses. */
import type { DocumentInfo } from '../visible-objects.js';

export interface Info extends DocumentInfo {
  readonly contact: { readonly name: string };
  readonly license: { readonly name: string; readonly identifier: string };
}

/** A group of operations: those of one relation or of one function. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export type PathOperations = Readonly<Partial<Record<Method, Operation>>>;

export interface PathItem extends PathOperations {
  /** Parameters of every operation of the path. */
  readonly parameters?: readonly (Parameter | Reference)[];
}

export interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody | Reference;
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export interface RequestBody {
  readonly required: boolean;
  readonly content: Content;
}

export interface Header {
  readonly description: string;
  readonly schema: Schema;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

/** By media type. */
export type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

export interface Reference {
  readonly $ref: string;
}

/** @param name a name of components, which needs no escaping */
export const referenceTo = (
  part: 'schemas' | 'parameters' | 'requestBodies' | 'responses' | 'headers',
  name: string,
): Required<Reference> => ({ $ref: `#/components/${part}/${name}` });

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null';

/** A schema of JSON Schema 2020-12. An empty one allows any value. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly (string | null)[];
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
}
