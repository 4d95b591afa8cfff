// Generated from openapi/components/errors.yaml by `make generate`. Not edited by hand.

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [member: string]: JsonValue };

/** Code of an error of this service. Errors of the database keep their five-character SQLSTATE. */
export type DbrErrorCode =
  | 'DBR100'
  | 'DBR101';

/** Text with `{holes}`. A template that is one hole alone passes the given value through unchanged. */
export type Template = string | null;
export interface DbrErrorEntry {
  readonly code: DbrErrorCode;
  /** One status, or one for each variant of the message. */
  readonly status: number | Readonly<Record<string, number>>;
  /** One template, or several variants of which the code that raises the error names one. */
  readonly message: string | Readonly<Record<string, string>>;
  readonly details: Template | Readonly<Record<string, Template>>;
  readonly hint: Template | Readonly<Record<string, Template>>;
}

/** Every error of the service by name. */
export const DBR_ERRORS = {
  /** There is no such thing. */
  ThingNotFound: {
    code: 'DBR100',
    status: 404,
    message: 'Thing {thingId} not found',
    details: null,
    hint: null,
  },
  /** The thing is not as it should be. */
  InvalidThing: {
    code: 'DBR101',
    status: 400,
    message: 'Invalid thing',
    details: '{details}',
    hint: {
      shorter: 'Use at most {limit} characters.',
      none: null,
    },
  },
} as const satisfies Readonly<Record<string, DbrErrorEntry>>;

export type DbrErrorName = keyof typeof DBR_ERRORS;

/** The code of each error by name. */
export const DbrErrorCodes = {
  ThingNotFound: 'DBR100',
  InvalidThing: 'DBR101',
} as const satisfies Readonly<Record<DbrErrorName, DbrErrorCode>>;

/** Arguments of each error: the values of its holes and, for each field with variants, the name of the variant. */
export interface DbrErrorHoles {
  ThingNotFound: { thingId: string | number };
  InvalidThing: { hint: 'shorter'; details: JsonValue; limit: string | number } | { hint: 'none'; details: JsonValue };
}
