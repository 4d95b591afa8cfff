import type { BodyForm } from '../plan/plan.js';
import { VALUE } from './call-source.js';
import { nameSql } from './field.js';

/** Name of the derived table whose rows make the body. */
export const ANSWER = '"answer"';

/**
 * The body as one value, made by the database from the rows of "answer" (data API §1.13). The value travels as bytes:
 * nobody parses it again. Null where there is no body to send.
 */
export function bodySql(form: BodyForm): string {
  switch (form.kind) {
    case 'none':
      return 'null';
    case 'array':
      return stripped(form.stripNulls, `coalesce(pg_catalog.json_agg(${ANSWER}.*), '[]')`);
    case 'object':
      // With any other number of rows than one the body is refused, so that rows need not be told apart.
      return `pg_catalog.string_agg(${stripped(form.stripNulls, `pg_catalog.row_to_json(${ANSWER}.*)`)}::pg_catalog.text, '')`;
    case 'value':
      return stripped(
        form.stripNulls,
        form.many
          ? `coalesce(pg_catalog.json_agg(${ANSWER}.${VALUE}), '[]')`
          : `pg_catalog.json_agg(${ANSWER}.${VALUE}) -> 0`,
      );
    case 'csv':
      return `${CSV_HEADER}\n           || coalesce(pg_catalog.string_agg(${CSV_ROW}, E'\\n'), '')`;
    case 'geojson':
      return `pg_catalog.json_build_object('type', 'FeatureCollection', 'features', coalesce(pg_catalog.json_agg(ST_AsGeoJSON(${ANSWER}.*)::pg_catalog.json), '[]'))`;
    case 'aggregate':
      return hexadecimal(form.binary, `${nameSql(form.function)}(${ANSWER}.*)`);
    case 'raw':
      // The function gave one value; aggregates for all types are few.
      return hexadecimal(form.binary, `(pg_catalog.array_agg(${ANSWER}.${VALUE}))[1]`);
  }
}

/** Bytes travel as digits, since a column of text cannot hold them. */
const hexadecimal = (binary: boolean, value: string): string =>
  binary ? `pg_catalog.encode(${value}, 'hex')` : value;

const stripped = (strip: boolean, json: string): string =>
  strip ? `pg_catalog.json_strip_nulls(${json})` : json;

/** The keys of the first row; an empty line when there is no row. */
const CSV_HEADER = `coalesce((
         select pg_catalog.string_agg(key, ',')
           from pg_catalog.json_object_keys((pg_catalog.array_agg(pg_catalog.row_to_json(${ANSWER}.*)))[1]) as key
       ), '') || E'\\n'`;

/** A row as PostgreSQL prints a record, which quotes as CSV does, without its parentheses. */
const CSV_ROW = `pg_catalog.substr(${ANSWER}::pg_catalog.text, 2, pg_catalog.length(${ANSWER}::pg_catalog.text) - 2)`;
