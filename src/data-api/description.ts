/** Descriptions of schemas, as requests use them. What makes them (`document/`) is given to the data API. */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ReloadableSettings } from '../settings/settings.js';
import type { DocumentPlan } from './plan/plan.js';
import type { SchemaCache } from './schema-cache/types.js';

/** A description in UTF-8. */
export interface Description {
  /** Strong entity tag of the text. */
  readonly etag: string;
  /** Length of the text, in bytes. */
  readonly length: number;
  /** The text; gzip of a long text, which has 3 % of its bytes. */
  readonly bytes: Buffer;
  readonly isPacked: boolean;
}

export interface Descriptions {
  /** The description of a schema for a role. */
  of(plan: DocumentPlan, role: string): Promise<Description>;
}

/** @param pathPrefix `server-path-prefix`; empty for none */
export type CreateDescriptions = (
  cache: SchemaCache,
  settings: ReloadableSettings,
  pathPrefix: string,
) => Descriptions;

/** The body of a response: the text, or a stream that unpacks it at the reader's pace. */
export const descriptionBody = ({ bytes, isPacked }: Description): readonly Buffer[] | Readable =>
  isPacked ? Readable.from([bytes]).pipe(createGunzip()) : [bytes];
