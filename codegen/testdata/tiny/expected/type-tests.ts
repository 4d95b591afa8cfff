// Generated from openapi/ by `make generate`. Not edited by hand.
import type * as types from './types.js';

type IsAny<T> = 0 extends 1 & T ? true : false;

/** True if each type accepts every value of the other, and neither is `any`. */
type Same<A, B> =
  true extends IsAny<A> | IsAny<B> ? false : [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Compiles only where every member of the tuple is `true`. */
type AllTrue<Tests extends readonly true[]> = Tests;

/** One member for each schema, in document order. */
export type TypeTests = AllTrue<[
  Same<types.Colour, ('red' | 'green')>,
  Same<types.Thing, ({ readonly thingId: (string); readonly colour: types.Colour; readonly madeAt: (string); readonly example?: (string | null) })>,
  Same<types.Reason, ({ readonly why?: (string) })>,
  Same<types.Things, (readonly (types.Thing)[])>,
  Same<types.NewThing, ({ readonly colour: types.Colour; readonly count?: (number) })>,
  Same<types.DbrErrorCode, ('DBR100' | 'DBR101')>,
  Same<types.DbrError, ({ readonly code: types.DbrErrorCode; readonly message: (string); readonly details: (string | null); readonly hint: (string | null) })>,
]>;
