/** Findings of `dbr lint`, each with the statement that cures it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Finding } from '../../../tools/src/lint/rule.js';
import { ask } from './api.js';
import { Code, Show, Text, useLoaded } from './parts.js';

interface Findings {
  readonly findings: readonly Finding[];
}

/** Findings that are shown at a time. */
const MOST_SHOWN = 50;

export function LintScreen(): JSX.Element {
  const loaded = useLoaded((signal) => ask<Findings>({ kind: 'lint' }, { signal }), []);
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>Lint</h1>
        <p class="comment">
          What is unsafe or slow in the exposed schemas, as <code>dbr lint</code> finds it. Run a cure as the
          owner of the object.
        </p>
      </header>
      <Show of={loaded}>{({ findings }) => <Rules findings={findings} />}</Show>
    </div>
  );
}

function Rules({ findings }: Findings): JSX.Element {
  if (findings.length === 0) return <p class="empty">No findings.</p>;
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  return (
    <div class="findings">
      {rules.map((rule) => (
        <Rule key={rule} rule={rule} findings={findings.filter((each) => each.rule === rule)} />
      ))}
    </div>
  );
}

function Rule({ rule, findings }: Findings & { readonly rule: string }): JSX.Element {
  const [shown, setShown] = useState(MOST_SHOWN);
  return (
    <details class="finding-rule">
      <summary>
        <span class={`level ${findings[0]?.level ?? ''}`}>{findings[0]?.level}</span> <b>{rule}</b>{' '}
        <span class="quiet">
          {findings.length} {findings.length === 1 ? 'finding' : 'findings'}
        </span>
      </summary>
      <ul>
        {findings.slice(0, shown).map(({ object, message, cure }) => (
          <li class="finding" key={object}>
            <h2>
              <Text>{object}</Text>
            </h2>
            <p>
              <Text>{message}</Text>
            </p>
            <Code label={`Cure of ${object}`} text={`${cure};`} />
          </li>
        ))}
      </ul>
      {findings.length > shown && (
        <button type="button" onClick={() => setShown(shown + MOST_SHOWN)}>
          Show more
        </button>
      )}
    </details>
  );
}
