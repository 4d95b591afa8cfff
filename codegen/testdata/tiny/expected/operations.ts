// Generated from openapi/ by `make generate`. Not edited by hand.
import type { NewThing, Reason, Thing, Things } from './types.js';

/** JSON text that is already made, such as a column of the database: sent as it is, never parsed. */
export interface JsonText {
  readonly jsonText: readonly Uint8Array[];
}

/** Headers in addition to those that the document requires. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** The response of a handler of any operation. */
export interface HandlerResponse {
  readonly status: number;
  readonly type?: string;
  readonly headers?: ExtraHeaders;
  readonly body?: unknown;
}

/** A request whose parameters and body were checked against the document. */
export interface CheckedRequest {
  readonly path: object;
  readonly query: object;
  readonly headers: object;
  readonly body: unknown;
}

export interface Route {
  readonly id: string;
  readonly tag: string;
  readonly method: 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options';
  readonly path: string;
  readonly security: 'bearer' | 'optional' | 'none';
  /** Security schemes that are accepted in place of the bearer token. */
  readonly alternatives: readonly string[];
  /** The scope that the caller needs, if any. */
  readonly scope: string | null;
  readonly bodyRequired: boolean;
  /** Media types of the request body; empty without a body. */
  readonly consumes: readonly string[];
}

/** GET /things: List the things */
export interface ListThingsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: {
    /** How many. */
    readonly limit: number;
    readonly colour?: 'red' | 'green';
    readonly deep?: boolean;
  };
  readonly headers: {
    readonly 'if-none-match'?: string;
  };
  readonly body: undefined;
}
export type ListThingsResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly body: Things | JsonText }
  | { readonly status: 304; readonly headers?: ExtraHeaders; readonly type?: never; readonly body?: never };

/** POST /things: Make a thing */
export interface CreateThingRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: NewThing;
}
export type CreateThingResponse =
  | { readonly status: 201; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: Thing | JsonText };

/** DELETE /things/{thingId}: Drop a thing */
export interface DeleteThingRequest {
  readonly path: {
    readonly thingId: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: Reason | undefined;
}
export type DeleteThingResponse =
  | { readonly status: 204; readonly headers?: ExtraHeaders; readonly type?: never; readonly body?: never };

/** GET /things/stream: Watch the things */
export interface StreamThingsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type StreamThingsResponse =
  | { readonly status: 200; readonly type: 'text/event-stream'; readonly headers?: ExtraHeaders; readonly body: AsyncIterable<string> };

/** The operations of the tag 'things'; `C` is the application's own context of a request. */
export interface ThingsHandlers<C> {
  /** GET /things: List the things */
  listThings(request: ListThingsRequest, context: C): Promise<ListThingsResponse>;
  /** POST /things: Make a thing */
  createThing(request: CreateThingRequest, context: C): Promise<CreateThingResponse>;
  /** DELETE /things/{thingId}: Drop a thing */
  deleteThing(request: DeleteThingRequest, context: C): Promise<DeleteThingResponse>;
  /** GET /things/stream: Watch the things */
  streamThings(request: StreamThingsRequest, context: C): Promise<StreamThingsResponse>;
}

/** A handler for every operation: a missing one does not compile. */
export interface Handlers<C> extends ThingsHandlers<C> {}

export type OperationId = keyof Handlers<never>;

/** A handler that takes any request of its operation, once that was checked. */
export type BoundHandler<C> = (request: CheckedRequest, context: C) => Promise<HandlerResponse>;

/** Handlers by operation, with one type for all. An area that is switched off has none. */
export type BoundHandlers<C> = Readonly<Partial<Record<OperationId, BoundHandler<C>>>>;

/** The handlers of the tag 'things' by operation. Their requests have been checked against the document. */
export function bindThingsHandlers<C>(handlers: ThingsHandlers<C>): BoundHandlers<C> {
  return {
    listThings: (request, context) => handlers.listThings(request as ListThingsRequest, context),
    createThing: (request, context) => handlers.createThing(request as CreateThingRequest, context),
    deleteThing: (request, context) => handlers.deleteThing(request as DeleteThingRequest, context),
    streamThings: (request, context) => handlers.streamThings(request as StreamThingsRequest, context),
  };
}

/** Operations with a typed handler, in document order; paths in the form of the router. */
export const ROUTES = [
  { id: 'listThings', tag: 'things', method: 'get', path: '/things', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'createThing', tag: 'things', method: 'post', path: '/things', security: 'bearer', alternatives: [], scope: 'things:write', bodyRequired: true, consumes: ['application/json'] },
  { id: 'deleteThing', tag: 'things', method: 'delete', path: '/things/:thingId', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: ['application/json'] },
  { id: 'streamThings', tag: 'things', method: 'get', path: '/things/stream', security: 'none', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
] as const satisfies readonly Route[];
