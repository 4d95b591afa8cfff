/** The parts of an OpenAPI 2.0 document that the description of the data API uses. */
import type { DocumentInfo } from '../visible-objects.js';

export interface SwaggerDocument {
  readonly swagger: '2.0';
  readonly info: DocumentInfo;
  readonly host?: string;
  readonly basePath?: string;
  readonly schemes?: readonly string[];
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly definitions: Readonly<Record<string, Schema>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly securityDefinitions?: Readonly<Record<string, unknown>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

export type PathItem = Readonly<Partial<Record<'get' | 'post' | 'patch' | 'delete', Operation>>>;

export interface Operation {
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly produces?: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly responses: Readonly<Record<string, { readonly description: string; readonly schema?: Schema }>>;
}

export interface Reference {
  readonly $ref: string;
}

/**
 * Returns a reference to a part of this document. Separators of a JSON pointer are escaped in its name (RFC 6901 §3).
 */
export const referenceTo = (part: 'definitions' | 'parameters', name: string): Reference => ({
  $ref: `#/${part}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
});

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header' | 'body';
  readonly required: boolean;
  readonly description?: string;
  readonly type?: SwaggerType;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly items?: Schema;
  readonly collectionFormat?: 'multi';
  readonly schema?: Schema;
}

export type SwaggerType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

export interface Schema {
  readonly $ref?: string;
  readonly type?: SwaggerType;
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

const TYPES: ReadonlyMap<string, SwaggerType> = new Map<string, SwaggerType>([
  ['boolean', 'boolean'],
  ['smallint', 'integer'],
  ['integer', 'integer'],
  ['bigint', 'integer'],
  ['numeric', 'number'],
  ['real', 'number'],
  ['double precision', 'number'],
]);

/** Returns the JSON type of a PostgreSQL type; null for json and jsonb, which may be any value. */
export function swaggerType(type: string): SwaggerType | null {
  if (type === 'json' || type === 'jsonb') return null;
  if (type.endsWith('[]')) return 'array';
  return TYPES.get(type) ?? 'string';
}

/** Type and format of a value, and of the elements of an array. */
export function typedSchema(type: string, format: string): Schema {
  const kind = swaggerType(type);
  if (kind === null) return { format };
  if (kind !== 'array') return { format, type: kind };
  const element = swaggerType(type.slice(0, -'[]'.length));
  return { format, type: kind, items: element === null ? {} : { type: element } };
}
