import { quoteIdentifier } from '../../postgres/quote.js';
import { VALUE_COLUMN } from '../plan/aliases.js';
import type { Call, CallArgument, GivenArgument } from '../plan/call.js';
import type { Operand } from '../plan/expression.js';
import { nameSql } from './field.js';
import { type Lines, tailed } from './lines.js';
import type { ParameterList } from './sql-text.js';

/** Alias of the record that holds the arguments of a JSON body. */
const ARGUMENTS = '"arguments"';

/** The column of a value. */
export const VALUE = quoteIdentifier(VALUE_COLUMN);

const JSON_BODY: Operand = { kind: 'payload', encoding: 'verbatim' };

/**
 * A call in a `from` clause, its rows under an alias; a value is the one column of its row. Arguments from a JSON
 * body are read as the types that the function declares (data API §1.12).
 */
export function callSource(call: Call, alias: string, parameters: ParameterList): Lines {
  const record = recordSql(call, parameters);
  const called = calledAs(call, alias, parameters);
  return record === null ? [called] : [...tailed([record], ','), `lateral ${called}`];
}

function calledAs(call: Call, alias: string, parameters: ParameterList): string {
  const called = `${nameSql(call.function)}(${argumentsSql(call, parameters)})`;
  switch (call.gives) {
    case 'rows':
      return `${called} as ${alias}`;
    case 'value':
    case 'nothing':
      // An alias of the function itself would have the type of its value, and with it casts that look like columns.
      return `(select ${VALUE} from ${called} as "called" (${VALUE})) as ${alias}`;
    case 'record':
      // In a from clause PostgreSQL would ask for the record's columns.
      return `(select ${called} as ${VALUE}) as ${alias}`;
  }
}

function argumentsSql(call: Call, parameters: ParameterList): string {
  switch (call.arguments.kind) {
    case 'whole': {
      const { name, type, operand } = call.arguments;
      const body = `${parameters.place(operand)}::${type}`;
      return name === null ? body : `${quoteIdentifier(name)} => ${body}`;
    }
    case 'given':
      return call.arguments.list
        .map((argument) => named(argument, givenSql(argument, parameters)))
        .join(', ');
    case 'json':
      return call.arguments.list
        .map((argument) => named(argument, `${ARGUMENTS}.${quoteIdentifier(argument.name)}`))
        .join(', ');
  }
}

const named = (argument: CallArgument, value: string): string =>
  `${argument.variadic ? 'variadic ' : ''}${quoteIdentifier(argument.name)} => ${value}`;

/** An argument given as text, read as the declared type. To a JSON parameter the text itself is the JSON value. */
function givenSql({ operand, type }: GivenArgument, parameters: ParameterList): string {
  const value = parameters.place(operand);
  if (type === 'json' || type === 'jsonb') return `pg_catalog.to_${type}(${value}::pg_catalog.text)`;
  return `${value}::${type}`;
}

function recordSql(call: Call, parameters: ParameterList): string | null {
  if (call.arguments.kind !== 'json' || call.arguments.list.length === 0) return null;
  const { list, many } = call.arguments;
  const body = `${parameters.place(JSON_BODY)}::pg_catalog.json`;
  const columns = list.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`);
  const object = many ? `(${body}) -> 0` : body;
  return `pg_catalog.json_to_record(${object}) as ${ARGUMENTS} (${columns.join(', ')})`;
}
