/** The statement of a read, where the role may see it. */
import type { JSX } from 'preact';
import { send } from '../api.js';
import { isObject, textOf } from '../json.js';
import { Code, Show, useLoaded } from '../parts.js';
import type { ApiRequest } from '../request.js';
import { isRead, withHeaders } from './reads.js';

export function Statement({ request }: { readonly request: ApiRequest }): JSX.Element {
  const loaded = useLoaded(
    (signal) =>
      isRead(request)
        ? send(withHeaders(request, { Prefer: joined(request.headers?.['Prefer'], 'explain') }), {
            signal,
            quiet: true,
          })
        : Promise.resolve(null),
    [request],
  );
  return (
    <Show of={loaded}>
      {(reply) => {
        if (reply === null) return <p class="quiet">The statement is shown for reads of the data API.</p>;
        const explain = isObject(reply.body) ? reply.body['explain'] : undefined;
        if (!isObject(explain))
          return (
            <p class="quiet">
              The role may not see statements. The settings <code>db-explain-enabled</code> and{' '}
              <code>db-explain-roles</code> permit it.
            </p>
          );
        return <Code label="SQL" text={textOf(explain['sql'])} />;
      }}
    </Show>
  );
}

const joined = (before: string | undefined, more: string): string =>
  before === undefined ? more : `${before}, ${more}`;
