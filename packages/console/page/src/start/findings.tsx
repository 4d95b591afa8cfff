/** How many findings lint has, by level. */
import type { JSX } from 'preact';
import type { Finding } from '../../../../tools/src/lint/rule.js';
import { ApiError, ask } from '../api.js';
import { useLoaded } from '../parts.js';

const LEVELS = ['error', 'warning'] as const;

export function Findings(): JSX.Element {
  const loaded = useLoaded(
    (signal) => ask<{ readonly findings: readonly Finding[] }>({ kind: 'lint' }, { signal, quiet: true }),
    [],
  );
  return (
    <section class="card" aria-labelledby="findings">
      <h2 id="findings">Findings of lint</h2>
      {loaded.state === 'loading' && <p class="quiet">Looking…</p>}
      {loaded.state === 'failed' && (
        <p class="quiet">
          {loaded.error instanceof ApiError && loaded.error.status === 403
            ? 'They are shown with a token.'
            : 'They could not be read.'}
        </p>
      )}
      {loaded.state === 'loaded' && (
        <>
          {loaded.value.findings.length === 0 ? (
            <p class="good">Nothing is unsafe or slow.</p>
          ) : (
            <dl class="figures">
              {LEVELS.map((level) => {
                const count = loaded.value.findings.filter((each) => each.level === level).length;
                return (
                  <div key={level}>
                    <dt>{level === 'error' ? 'errors' : 'warnings'}</dt>
                    <dd class={count === 0 ? '' : `level ${level}`}>{count}</dd>
                  </div>
                );
              })}
            </dl>
          )}
          <a href="#/lint">All findings, with their cures</a>
        </>
      )}
    </section>
  );
}
