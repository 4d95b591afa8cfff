/** Changes that agents have proposed for the caller, who applies or dismisses them. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Proposal } from '../../server/answers.js';
import { ApiError, ask, send } from './api.js';
import { Confirm } from './confirm.js';
import { isObject, parseJson, rowsOf, textOf, type Json } from './json.js';
import { Code, type Outcome, Said, Show, Text, useLoaded } from './parts.js';

interface Proposals {
  readonly proposals: readonly Proposal[];
}

export function ProposalsScreen(): JSX.Element {
  const [changes, setChanges] = useState(0);
  const [said, setSaid] = useState('');
  const loaded = useLoaded((signal) => ask<Proposals>({ kind: 'proposals' }, { signal }), [changes]);
  const refresh = (after: string): void => {
    setSaid(after);
    setChanges((before) => before + 1);
  };
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>Proposals</h1>
        <p class="comment">
          What agents would change with your rights, and the rows as they would be. Agents wrote the changes,
          and others the rows: judge what they do, and follow nothing that a text in them asks for.
        </p>
        <div class="actions">
          <button type="button" onClick={() => refresh('')}>
            Refresh
          </button>
        </div>
        {said !== '' && <p role="status">{said}</p>}
      </header>
      <Show of={loaded}>
        {({ proposals }) =>
          proposals.length === 0 ? (
            <p class="empty">No proposals wait.</p>
          ) : (
            proposals.map((proposal, index) => (
              <OneProposal key={proposal.id} proposal={proposal} number={index + 1} onDone={refresh} />
            ))
          )
        }
      </Show>
    </div>
  );
}

/** Shows characters that hide or reorder others by their numbers, so that changes look like what they are. */
const plain = (text: string): string =>
  text.replaceAll(
    /[\p{Cf}\p{DI}\u007f-\u009f\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );

const written = (value: Json): string => plain(JSON.stringify(value, null, 2));

const counted = (count: number): string => `${String(count)} ${count === 1 ? 'row' : 'rows'}`;

/** @param seconds a length of time */
const roughly = (seconds: number): string =>
  seconds < 5400 ? `${String(Math.round(seconds / 60))} min` : `${String(Math.round(seconds / 3600))} h`;

interface OneProposalProps {
  readonly proposal: Proposal;
  readonly number: number;
  /** It is not listed any more. */
  readonly onDone: (said: string) => void;
}

function OneProposal({ proposal, number, onDone }: OneProposalProps): JSX.Element {
  const { id, schema, createdAt, expiresAt } = proposal;
  const [outcome, setOutcome] = useState<Outcome>(null);
  const run = (work: Promise<string>): void => {
    work.then(onDone, (error: unknown) => setOutcome({ error }));
  };
  const answers = rowsOf(parseJson(proposal.answer));
  const now = Date.now() / 1000;
  return (
    <section aria-labelledby={`proposal-${String(number)}`}>
      <h2 id={`proposal-${String(number)}`}>Proposal {number}</h2>
      <p class="quiet">
        Proposed {roughly(now - createdAt)} ago, expires in {roughly(expiresAt - now)}
        {schema !== null && (
          <>
            , schema <Text>{plain(schema)}</Text>
          </>
        )}
      </p>
      {rowsOf(parseJson(proposal.changes)).map(({ method, path, body }, index) => {
        const rows = rowsOf(answers[index]?.['body']);
        const name = `change ${String(index + 1)} of proposal ${String(number)}`;
        return (
          <div class="finding" key={index}>
            <h3>
              <Text>{plain(`${textOf(method)} ${textOf(path)}`)}</Text>{' '}
              <span class="tag">{counted(rows.length)}</span>
            </h3>
            {body !== undefined && <Code label={`Body of ${name}`} text={written(body)} />}
            <p class="quiet">
              {method === 'DELETE' ? 'Rows that would be deleted' : 'Rows as they would be'}
            </p>
            <Code label={`Rows of ${name}`} text={written(rows)} />
          </div>
        );
      })}
      <div class="actions">
        <Confirm
          label="Apply…"
          act="Apply these changes"
          keep="Not now"
          kind="primary"
          onConfirm={() => run(applied(proposal))}
        />
        <button
          type="button"
          onClick={() => run(ask({ kind: 'dismiss-proposal', id }).then(() => 'The proposal was dismissed.'))}
        >
          Dismiss
        </button>
      </div>
      <Said outcome={outcome} />
    </section>
  );
}

const TOOL = 'apply_change';
const REVISION = '2026-07-28';
const OF_PROTOCOL = 'io.modelcontextprotocol/';

/** Applies a proposal as the agent would, by the tool that agents lack the token for. @throws ApiError */
async function applied({ token, schema, changes }: Proposal): Promise<string> {
  const given = { token, changes: parseJson(changes), ...(schema === null ? {} : { schema }) };
  const { body } = await send(
    {
      method: 'POST',
      path: '/mcp',
      headers: { 'MCP-Protocol-Version': REVISION, 'Mcp-Method': 'tools/call', 'Mcp-Name': TOOL },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: TOOL,
          arguments: given,
          _meta: {
            [`${OF_PROTOCOL}protocolVersion`]: REVISION,
            [`${OF_PROTOCOL}clientInfo`]: { name: 'dbr console', version: '1' },
            [`${OF_PROTOCOL}clientCapabilities`]: {},
          },
        },
      },
    },
    // It has a token, and is no call of a typed client.
    { quiet: true },
  );
  const { result, error } = isObject(body) ? body : {};
  const answer = isObject(result) ? result : {};
  const first = textOf(rowsOf(answer['content'])[0]?.['text']);
  if (isObject(error)) throw new ApiError(400, error);
  if (answer['isError'] === true) throw new ApiError(400, parseJson(first));
  const about = parseJson(first);
  const rows = isObject(about) && Array.isArray(about['rows']) ? (about['rows'] as readonly Json[]) : [];
  return `Applied: ${rows.map((count) => counted(Number(count))).join(', ')}.`;
}
