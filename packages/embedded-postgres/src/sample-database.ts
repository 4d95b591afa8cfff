import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot, type Session, withSession } from '../../../src/embedded-face.js';

/** The schema of the world, and the schemas of the sample database. */
const WORLD = 'geo';
export const SAMPLE_SCHEMAS = [WORLD, 'films'] as const;

export interface LoadProgress {
  readonly table: string;
  readonly loadedRows: number;
  readonly totalRows: number;
}

/** Referenced tables come before the tables that refer to them. */
const TABLES = [
  'areas',
  'countries',
  'languages',
  'currencies',
  'country_languages',
  'country_currencies',
  'borders',
  'regions',
  'cities',
  'country_facts',
  'airports',
] as const;

const FOLDER = join(packageRoot(), 'examples', 'sample-database');
const ROWS_AT_ONCE = 5000;
const LOCK = 5_347_126;

/**
 * Loads each schema of the sample database that does not exist: tables, data and statistics in one transaction. It
 * grants privileges to roles of the embedded server.
 *
 * @param ownerUri the database as the role that may create schemas and roles
 * @param onProgress called after each piece of at most 5,000 rows
 * @returns true if a schema was loaded, false if all existed
 */
export async function loadSampleDatabase(
  ownerUri: string,
  onProgress: (progress: LoadProgress) => void = () => undefined,
): Promise<boolean> {
  return await withSession(ownerUri, async (session) => {
    await session.script(`begin; select pg_catalog.pg_advisory_xact_lock(${String(LOCK)})`);
    const isMissing = async (schema: (typeof SAMPLE_SCHEMAS)[number]): Promise<boolean> =>
      (await session.query('select where pg_catalog.to_regnamespace($1) is null', [schema])).length > 0;
    const isWorldMissing = await isMissing(WORLD);
    if (isWorldMissing) await loadWorld(session, onProgress);
    // A database of before the films has the world alone.
    const areFilmsMissing = await isMissing('films');
    if (areFilmsMissing) await session.script(await readFile(join(FOLDER, 'films.sql'), 'utf8'));
    await session.script('commit');
    return isWorldMissing || areFilmsMissing;
  });
}

async function loadWorld(session: Session, onProgress: (progress: LoadProgress) => void): Promise<void> {
  await session.script(await readFile(join(FOLDER, 'schema.sql'), 'utf8'));
  const files = await Promise.all(TABLES.map(async (table) => await readTable(table)));
  const totalRows = files.reduce((sum, { lines }) => sum + lines.length, 0);
  let loadedRows = 0;
  for (const { table, columns, lines } of files) {
    const insert = await insertStatement(session, table, columns);
    for (let from = 0; from < lines.length; from += ROWS_AT_ONCE) {
      const piece = lines.slice(from, from + ROWS_AT_ONCE);
      await session.query(insert, [piece.join('\n')]);
      loadedRows += piece.length;
      onProgress({ table, loadedRows, totalRows });
    }
  }
  await session.script(`refresh materialized view ${WORLD}.country_statistics`);
  await session.script(`analyze ${TABLES.map((table) => `${WORLD}.${table}`).join(', ')}`);
}

interface TableFile {
  readonly table: string;
  readonly columns: readonly string[];
  readonly lines: readonly string[];
}

/** Tab-separated, the names of the columns first. */
async function readTable(table: string): Promise<TableFile> {
  const text = await readFile(join(FOLDER, 'data', `${table}.tsv`), 'utf8');
  const [header = '', ...lines] = text.trimEnd().replaceAll('\r\n', '\n').split('\n');
  return { table, columns: header.split('\t'), lines };
}

/** One parameter contains many lines; PostgreSQL splits them and converts each field to the type of its column. */
async function insertStatement(session: Session, table: string, columns: readonly string[]): Promise<string> {
  const rows = await session.query(
    `select pg_catalog.format(
       'insert into %I.%I (%s)
        select %s
        from pg_catalog.unnest(pg_catalog.string_to_array($1::text, E''\\n'')) as file (line)
        cross join lateral pg_catalog.string_to_array(file.line, E''\\t'') as field',
       $1::text,
       $2::text,
       pg_catalog.string_agg(pg_catalog.quote_ident(attname), ', ' order by position),
       pg_catalog.string_agg(
         pg_catalog.format('nullif(field[%s], '''')::%s', position, pg_catalog.format_type(atttypid, atttypmod)),
         ', ' order by position
       )
     ) as statement
     from pg_catalog.unnest($3::text[]) with ordinality as header (name, position)
     join pg_catalog.pg_attribute on attname = header.name and not attisdropped
     where attrelid = pg_catalog.format('%I.%I', $1::text, $2::text)::pg_catalog.regclass`,
    [WORLD, table, columns],
  );
  return String(rows[0]?.['statement']);
}
