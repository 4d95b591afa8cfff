/** One request in one of its forms. */
import type { JSX } from 'preact';
import { headersOf, publicAddress } from '../api.js';
import { curlOf, openApiFetchOf, type Command } from '../commands.js';
import { Code } from '../parts.js';
import type { ApiRequest } from '../request.js';
import { currentToken } from '../session.js';
import { databaseCallOf } from './database-call.js';
import { Plan } from './plan.js';
import { Statement } from './statement.js';

export const TABS = ['URL', 'curl', 'Typed client', 'SQL', 'Plan'] as const;
export type Tab = (typeof TABS)[number];
/** Answers of the console itself, which the published documents do not describe. */
export const TABS_OF_CONSOLE: readonly Tab[] = ['URL', 'curl'];

interface RequestFormProps {
  readonly tab: Tab;
  readonly request: ApiRequest;
}

export function RequestForm({ tab, request }: RequestFormProps): JSX.Element {
  switch (tab) {
    case 'URL':
      return <Code label="URL" text={`${request.method} ${publicAddress(request)}`} />;
    case 'curl':
      return <Code label="curl" text={curlOf(commandOf(request))} />;
    case 'Typed client':
      return <Calls request={request} />;
    case 'SQL':
      return <Statement request={request} />;
    case 'Plan':
      return <Plan request={request} />;
  }
}

function Calls({ request }: Pick<RequestFormProps, 'request'>): JSX.Element {
  const call = databaseCallOf(request);
  return (
    <>
      {call !== null && (
        <>
          <p class="form-name">
            With <code>dbr-client/database</code>
          </p>
          <Code label="dbr-client/database" text={call} />
        </>
      )}
      <p class="form-name">
        With <code>openapi-fetch</code>
      </p>
      <Code label="openapi-fetch" text={openApiFetchOf(request)} />
    </>
  );
}

const commandOf = (request: ApiRequest): Command => ({
  method: request.method,
  address: publicAddress(request),
  headers: headersOf(request),
  body: request.body === undefined ? undefined : JSON.stringify(request.body),
  file: request.file?.name,
  hasToken: currentToken() !== null,
});
