/** The plan of a read as a tree. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { send } from '../api.js';
import { isObject, textOf, type Json } from '../json.js';
import { ErrorBox } from '../parts.js';
import type { ApiRequest } from '../request.js';
import { isRead, withHeaders } from './reads.js';

export function Plan({ request }: { readonly request: ApiRequest }): JSX.Element {
  const [reply, setReply] = useState<Json | undefined>();
  const [error, setError] = useState<unknown>(null);
  if (!isRead(request)) return <p class="quiet">The plan is shown for reads of the data API.</p>;
  const explain = (options: string): void => {
    const accept = `application/vnd.pgrst.plan+json${options}`;
    send(withHeaders(request, { Accept: accept }), { quiet: true }).then(
      ({ body }) => {
        setReply(body);
        setError(null);
      },
      (reason: unknown) => setError(reason),
    );
  };
  return (
    <div>
      <div class="actions">
        <button type="button" onClick={() => explain('')}>
          Explain
        </button>
        <button type="button" onClick={() => explain('; options=analyze')}>
          Explain and run
        </button>
      </div>
      {error !== null && <ErrorBox error={error} />}
      {reply !== undefined && <PlanTree plan={reply} />}
    </div>
  );
}

function PlanTree({ plan }: { readonly plan: Json }): JSX.Element {
  const [top] = Array.isArray(plan) ? (plan as readonly Json[]) : [plan];
  const root = isObject(top) ? top['Plan'] : undefined;
  const time = isObject(top) ? top['Execution Time'] : undefined;
  return (
    <div class="plan" data-plan>
      {time !== undefined && (
        <p>
          Executed in <b>{textOf(time)} ms</b>
        </p>
      )}
      {root !== undefined && (
        <ul>
          <PlanNode node={root} />
        </ul>
      )}
    </div>
  );
}

function PlanNode({ node }: { readonly node: Json }): JSX.Element | null {
  if (!isObject(node)) return null;
  const children = node['Plans'];
  const on = textOf(node['Index Name'] ?? node['Relation Name'] ?? node['Function Name']);
  const condition = textOf(node['Index Cond'] ?? node['Filter'] ?? node['Hash Cond']);
  const took = node['Actual Total Time'];
  return (
    <li>
      <b>{textOf(node['Node Type'])}</b> {on !== '' && <code>{on}</code>}{' '}
      <span class="quiet">
        {textOf(node['Plan Rows'])} rows, cost {textOf(node['Total Cost'])}
        {took !== undefined && `, ${textOf(took)} ms`}
      </span>
      {condition !== '' && <div class="condition">{condition}</div>}
      {Array.isArray(children) && (
        <ul>
          {(children as readonly Json[]).map((child, index) => (
            <PlanNode key={index} node={child} />
          ))}
        </ul>
      )}
    </li>
  );
}
