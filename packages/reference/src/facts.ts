/** What the page knows of the service before it asks: the service writes it into the document of the page. */
import { isObject, parseJson, textOf, type Json } from '../../console/page/src/json.js';

export interface Facts {
  readonly areas: readonly string[];
  /** Prefix of the paths of the data API. */
  readonly prefix: string;
  readonly schemas: readonly string[];
  /** Whether there is a description of the database: `token` if only for callers with a token. */
  readonly description: 'served' | 'token' | 'disabled' | 'absent';
}

const DESCRIPTIONS = ['served', 'token', 'disabled', 'absent'] as const;

export function readFacts(text: string): Facts {
  const facts = parseJson(text);
  if (!isObject(facts)) throw new Error('the page has no facts of its service');
  const list = (value: Json | undefined): readonly string[] =>
    Array.isArray(value) ? (value as readonly Json[]).map(textOf) : [];
  return {
    areas: list(facts['areas']),
    prefix: textOf(facts['prefix']),
    schemas: list(facts['schemas']),
    description: DESCRIPTIONS.find((each) => each === facts['description']) ?? 'absent',
  };
}

/** The root of the public port, seen from `/api/v1/docs`, with the prefix of a proxy. Without a slash at its end. */
export const serviceRoot = (): string => new URL('../..', location.href).href.replace(/\/$/, '');
