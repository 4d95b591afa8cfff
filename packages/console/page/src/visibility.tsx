/** Policies in words, and their terms evaluated on a row. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  COMMANDS,
  type Command,
  type EvaluatedPolicy,
  type Policy,
  type RelationDetail,
  type Visibility,
} from '../../server/answers.js';
import { ask } from './api.js';
import type { JsonRow } from './json.js';
import { Comment, ErrorBox, Show, Text, useLoaded } from './parts.js';

const VERBS: Readonly<Record<Command | 'all', string>> = {
  all: 'read and write',
  select: 'read',
  insert: 'insert',
  update: 'change',
  delete: 'delete',
};

const listed = (names: readonly string[]): string =>
  names.includes('public') ? 'every role' : names.join(', ');

export function PolicyInWords({ policy }: { readonly policy: Policy }): JSX.Element {
  const { name, comment, permissive, command, roles, applies, using, check } = policy;
  return (
    <li class={`policy ${applies ? '' : 'idle'}`}>
      <h2>
        <Text>{name}</Text> <span class="tag">{permissive ? 'permissive' : 'restrictive'}</span>{' '}
        {!applies && <span class="tag">does not apply to this role</span>}
      </h2>
      <Comment>{comment}</Comment>
      <p>
        {permissive ? 'Lets' : 'Restricts'} <b>{listed(roles)}</b>{' '}
        {permissive ? VERBS[command] : `who may ${VERBS[command]}`}{' '}
        {(using ?? check) === 'true' ? 'any row' : 'rows'}
        {using !== null && using !== 'true' && (
          <>
            {' '}
            for which <code>{using}</code> is true
          </>
        )}
        {check !== null && check !== using && check !== 'true' && (
          <>
            {using === null ? ' for which ' : ', and write rows for which '}
            <code>{check}</code> is true
          </>
        )}
        .
      </p>
    </li>
  );
}

export function VisibilityOf({
  relation,
  row,
}: {
  readonly relation: RelationDetail;
  readonly row: JsonRow;
}): JSX.Element {
  const [command, setCommand] = useState<Command>('select');
  const { schema, name } = relation;
  const answer = useLoaded(
    (signal) => ask<Visibility>({ kind: 'visibility', schema, name, command, row }, { signal }),
    [relation, row, command],
  );
  return (
    <div class="visibility">
      <label>
        To{' '}
        <select
          value={command}
          onChange={(event) =>
            setCommand(COMMANDS.find((each) => each === event.currentTarget.value) ?? 'select')
          }
        >
          {COMMANDS.map((each) => (
            <option key={each} value={each}>
              {VERBS[each]}
            </option>
          ))}
        </select>
      </label>
      <Show of={answer}>{(visibility) => <Evaluated visibility={visibility} />}</Show>
    </div>
  );
}

const mark = (holds: boolean | null): string => (holds === null ? '?' : holds ? '✓' : '✗');
const word = (holds: boolean | null): string => (holds === null ? 'unknown' : holds ? 'true' : 'false');

export function Evaluated({ visibility }: { readonly visibility: Visibility }): JSX.Element {
  return (
    <div>
      <p class={`verdict ${word(visibility.allowed)}`} role="status">
        {verdictOf(visibility)}
      </p>
      <ul class="evaluated">
        {visibility.policies.map((policy) => (
          <EvaluatedTerms key={policy.name} policy={policy} />
        ))}
      </ul>
    </div>
  );
}

function verdictOf({ role, command, privilege, exempt, found, policies, allowed }: Visibility): string {
  const who = `The role ${role}`;
  const verb = VERBS[command];
  if (!privilege) return `${who} has no privilege to ${verb} rows of this table.`;
  if (exempt === 'no row security') return `${who} may ${verb} every row: the table has no row security.`;
  if (exempt === 'owner') return `${who} may ${verb} every row: it owns the table.`;
  if (exempt === 'bypass') return `${who} may ${verb} every row: it bypasses row security.`;
  if (policies.every(({ permissive }) => !permissive))
    return `${who} may ${verb} no row: no permissive policy applies to it.`;
  const stored = storedOf(found, allowed);
  if (allowed === null) return `It depends on values that were not given.${stored}`;
  return allowed
    ? `${who} may ${verb} this row.${stored}`
    : `${who} may not ${verb} this row: no policy lets it pass.${stored}`;
}

/** What a read with the given key finds, which may have other values than those that were given. */
function storedOf(found: boolean | null, allowed: boolean | null): string {
  if (found === null) return '';
  if (!found) return ' No row with this key is found.';
  return allowed === false
    ? ' A row with this key is found: its values are others than those given.'
    : ' A row with this key is found.';
}

function EvaluatedTerms({ policy }: { readonly policy: EvaluatedPolicy }): JSX.Element {
  const { name, comment, holds, terms, join, permissive } = policy;
  return (
    <li>
      <h3>
        <span class={`mark ${word(holds)}`} role="img" aria-label={word(holds)}>
          {mark(holds)}
        </span>{' '}
        <Text>{name}</Text> {!permissive && <span class="tag">restrictive</span>}
      </h3>
      <Comment>{comment}</Comment>
      {terms.length > 1 && <p class="quiet">{join === 'and' ? 'All of:' : 'One of:'}</p>}
      <ul>
        {terms.map((term, index) => (
          <li key={index}>
            <span class={`mark ${word(term.holds)}`} role="img" aria-label={word(term.holds)}>
              {mark(term.holds)}
            </span>{' '}
            <code>
              <Text>{term.text}</Text>
            </code>
            {term.sides.map(({ text, value }, side) => (
              <div class="side" key={side}>
                <code>
                  <Text>{text}</Text>
                </code>{' '}
                is{' '}
                {term.unknown.length > 0 && value === null ? (
                  <span class="null">not given</span>
                ) : value === null ? (
                  <span class="null">null</span>
                ) : (
                  <b>
                    <Text>{value}</Text>
                  </b>
                )}
              </div>
            ))}
            {term.unknown.length > 0 && <div class="side quiet">Not given: {term.unknown.join(', ')}</div>}
            {term.error !== null && <ErrorBox error={new Error(term.error)} />}
          </li>
        ))}
      </ul>
    </li>
  );
}
