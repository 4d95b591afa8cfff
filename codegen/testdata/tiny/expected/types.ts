// Generated from openapi/ by `make generate`. Not edited by hand.
export type paths = Record<string, never>;
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
        readonly Reason: {
            readonly why?: string;
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
        readonly Things: readonly components["schemas"]["Thing"][];
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Colour = components['schemas']['Colour'];
export type DbrError = components['schemas']['DbrError'];
export type DbrErrorCode = components['schemas']['DbrErrorCode'];
export type NewThing = components['schemas']['NewThing'];
export type Reason = components['schemas']['Reason'];
export type Thing = components['schemas']['Thing'];
export type Things = components['schemas']['Things'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
