/** A value that must not be told by accident: logged, thrown, traced or turned into JSON, it reads `[redacted]`. */
import { inspect } from 'node:util';

const REDACTED = '[redacted]';

export interface Secret<T> {
  /** The value itself. Every place that calls this is a place to review. */
  reveal(): T;
  toString(): string;
  toJSON(): string;
}

/** Wraps a value; it lives in the closure, where no enumeration of members finds it. */
export function secret<T>(value: T): Secret<T> {
  const wrapped = {
    reveal: () => value,
    toString: () => REDACTED,
    toJSON: () => REDACTED,
    [inspect.custom]: () => REDACTED,
  };
  return Object.freeze(wrapped);
}
