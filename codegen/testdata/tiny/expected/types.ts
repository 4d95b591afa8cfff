// Generated from openapi/ by `make generate`. Not edited by hand.
export interface paths {
    readonly "/{resource}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read rows */
        readonly get: operations["readRows"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/things": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the things */
        readonly get: operations["listThings"];
        readonly put?: never;
        /** Make a thing */
        readonly post: operations["createThing"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/things/{thingId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly thingId: string;
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** Drop a thing */
        readonly delete: operations["deleteThing"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/things/stream": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Watch the things */
        readonly get: operations["streamThings"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @enum {string} */
        readonly Colour: "red" | "green";
        readonly DbrError: {
            readonly code: components["schemas"]["DbrErrorCode"];
            readonly details: string | null;
            readonly hint: string | null;
            readonly message: string;
        };
        /** @enum {string} */
        readonly DbrErrorCode: "DBR100" | "DBR101";
        readonly NewThing: {
            readonly colour: components["schemas"]["Colour"];
            /** @default 1 */
            readonly count: number;
        };
        /** @description A thing. */
        readonly Thing: {
            readonly colour: components["schemas"]["Colour"];
            readonly example?: string | null;
            /** Format: date-time */
            readonly madeAt: string;
            /** Format: uuid */
            readonly thingId: string;
        };
    };
    responses: {
        /** @description Not as it should be. */
        readonly BadRequest: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Colour = components['schemas']['Colour'];
export type DbrError = components['schemas']['DbrError'];
export type DbrErrorCode = components['schemas']['DbrErrorCode'];
export type NewThing = components['schemas']['NewThing'];
export type Thing = components['schemas']['Thing'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type $defs = Record<string, never>;
export interface operations {
    readonly readRows: {
        readonly parameters: {
            readonly query?: {
                readonly filters?: {
                    readonly [key: string]: string;
                };
            };
            readonly header?: never;
            readonly path: {
                readonly resource: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Rows. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly unknown[];
                };
            };
        };
    };
    readonly listThings: {
        readonly parameters: {
            readonly query?: {
                readonly colour?: components["schemas"]["Colour"];
                readonly deep?: boolean;
                /** @description How many. */
                readonly limit?: number;
            };
            readonly header?: {
                readonly "If-None-Match"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The things. */
            readonly 200: {
                headers: {
                    readonly ETag: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Thing"][];
                };
            };
            /** @description Nothing new. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["BadRequest"];
        };
    };
    readonly createThing: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewThing"];
            };
        };
        readonly responses: {
            /** @description Made. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Thing"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
        };
    };
    readonly deleteThing: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly thingId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default none */
                    readonly why?: string;
                };
            };
        };
        readonly responses: {
            /** @description Dropped. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No such thing. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DbrError"];
                };
            };
        };
    };
    readonly streamThings: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Events. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/event-stream": string;
                };
            };
        };
    };
}
