import { catalogueSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import { VALUE_COLUMN } from '../plan/plan-context.js';

import type {
  AssumedColumns,
  Call,
  CallArgument,
  GivenArgument,
  Operand,
  Source,
} from '../plan/expression.js';
import {
  commas,
  enclosed,
  hang,
  type Lines,
  nameSql,
  namesSql,
  operandSql,
  ROWS,
  tailed,
} from './sql-text.js';

/** Alias of the record that holds the arguments of a JSON body. */
const ARGUMENTS = '"arguments"';

/** The column of a value. */
export const VALUE = quoteIdentifier(VALUE_COLUMN);

const JSON_BODY: Operand = { kind: 'payload', encoding: 'verbatim' };

/**
 * Returns a call in a `from` clause with an alias for its rows; a value is the only column of its row. Arguments of a
 * JSON body are converted to the types that the function declares (data API §1.12).
 */
export function callSource(call: Call, alias: Sql): Lines {
  const record = recordSql(call);
  const called = calledAs(call, alias);
  return record === null ? [called] : [...tailed([record], sql`,`), sql`lateral ${called}`];
}

function calledAs(call: Call, alias: Sql): Sql {
  const called = sql`${nameSql(call.function)}(${argumentsSql(call)})`;
  switch (call.gives) {
    case 'rows':
      return sql`${called} as ${alias}`;
    case 'value':
    case 'nothing':
      // An alias of the function itself would have the type of its value, whose casts could be called like columns.
      return sql`(select ${VALUE} from ${called} as "called" (${VALUE})) as ${alias}`;
    case 'record':
      // In a from clause, PostgreSQL would require a column list for the record.
      return sql`(select ${called} as ${VALUE}) as ${alias}`;
  }
}

function argumentsSql(call: Call): Sql {
  switch (call.arguments.kind) {
    case 'whole': {
      const { name, type, operand } = call.arguments;
      const body = sql`${operandSql(operand)}::${catalogueSql(type)}`;
      return name === null ? body : sql`${quoteIdentifier(name)} => ${body}`;
    }
    case 'given':
      return commas(call.arguments.list.map((argument) => named(argument, givenSql(argument))));
    case 'json': {
      const { list, isText } = call.arguments;
      const valueOf = ({ name, type }: CallArgument): Sql =>
        sql`${ARGUMENTS}.${quoteIdentifier(name)}${isText ? sql`::${catalogueSql(type)}` : ''}`;
      return commas(list.map((argument) => named(argument, valueOf(argument))));
    }
  }
}

const named = (argument: CallArgument, value: Sql): Sql =>
  sql`${argument.variadic ? 'variadic ' : ''}${quoteIdentifier(argument.name)} => ${value}`;

/**
 * Converts an argument that is given as text to the declared type. For a JSON parameter, the text is the JSON value.
 */
function givenSql({ operand, type }: GivenArgument): Sql {
  const value = operandSql(operand);
  if (type === 'json' || type === 'jsonb') return sql`pg_catalog.to_${type}(${value}::pg_catalog.text)`;
  return sql`${value}::${catalogueSql(type)}`;
}

function recordSql(call: Call): Sql | null {
  if (call.arguments.kind !== 'json' || call.arguments.list.length === 0) return null;
  const { list, many, isText } = call.arguments;
  const body = sql`${operandSql(JSON_BODY)}::pg_catalog.json`;
  const columns = list.map(
    ({ name, type }) => sql`${quoteIdentifier(name)} ${catalogueSql(isText ? 'pg_catalog.text' : type)}`,
  );
  const object = many ? sql`(${body}) -> 0` : body;
  return sql`pg_catalog.json_to_record(${object}) as ${ARGUMENTS} (${commas(columns)})`;
}

/**
 * Returns joins at the end of a statement, one for each source. They add no row, and PostgreSQL refuses the statement
 * during analysis if a source lacks one of its assumed columns: in a derived table that is not lateral, an
 * unqualified name can only be a column, so the same name after the alias of the source cannot be a call.
 *
 * They come last, so that an unknown name is reported for the clause that uses it.
 */
export function assumedJoins(assumed: readonly AssumedColumns[]): Lines {
  return assumed.flatMap(({ source, columns }, index) =>
    enclosed(
      sql`  left join `,
      [
        sql`select ${namesSql(columns)}`,
        ...hang(sql`  from `, sourceLines(source, freeAlias(columns))),
        sql` where false`,
      ],
      sql` as "assumed_${index}" on false`,
    ),
  );
}

/** Returns a name that no column has, because the name of a relation also refers to its whole row. */
function freeAlias(columns: readonly string[]): Sql {
  let alias = 'source';
  while (columns.includes(alias)) alias += '_';
  return quoteIdentifier(alias);
}

function sourceLines(source: Source, alias: Sql): Lines {
  switch (source.kind) {
    case 'relation':
      return [sql`${nameSql(source.name)} as ${alias}`];
    case 'rows':
      return [sql`${quoteIdentifier(ROWS)} as ${alias}`];
    case 'call':
      // The from clause also contains the arguments, which are not columns of the result.
      return enclosed(
        sql``,
        [sql`select "called".*`, ...hang(sql`  from `, callSource(source.call, sql`"called"`))],
        sql` as ${alias}`,
      );
  }
}
