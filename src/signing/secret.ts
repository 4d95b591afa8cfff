/** A value that must not leak: in logs, errors, traces and JSON it appears as `[redacted]`. */
import { inspect } from 'node:util';

const REDACTED = '[redacted]';

export interface Secret<T> {
  /** Returns the value. Review every call. */
  reveal(): T;
  toString(): string;
  toJSON(): string;
}

/** Wraps a value in a closure, where the enumeration of members cannot find it. */
export function secret<T>(value: T): Secret<T> {
  const wrapped = {
    reveal: () => value,
    toString: () => REDACTED,
    toJSON: () => REDACTED,
    [inspect.custom]: () => REDACTED,
  };
  return Object.freeze(wrapped);
}
