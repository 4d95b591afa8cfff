/** Viewing as another user or role, in development. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { mint } from './api.js';
import { ErrorBox } from './parts.js';
import { Panel } from './panel.js';
import { currentToken, viewAs } from './session.js';
import { claimsOf } from './token.js';

/** Makes a token of another user or role. The service does so in development only. */
export function ViewAsPanel({
  onClose,
  onChanged,
}: {
  readonly onClose: () => void;
  readonly onChanged: () => void;
}): JSX.Element {
  const claims = claimsOf(currentToken());
  const [tenant, setTenant] = useState(claims.tenantId ?? '');
  const [user, setUser] = useState(claims.sub ?? '');
  const [role, setRole] = useState(claims.role ?? '');
  const [scope, setScope] = useState(claims.scope ?? '');
  const [error, setError] = useState<unknown>(null);

  async function apply(): Promise<void> {
    try {
      viewAs(
        await mint({
          tenant,
          user,
          ...(role === '' ? {} : { role }),
          ...(scope === '' ? {} : { scope }),
        }),
      );
      onChanged();
    } catch (reason) {
      setError(reason);
    }
  }

  const inputs = [
    ['User', user, setUser],
    ['Tenant', tenant, setTenant],
    ['Role', role, setRole],
    ['Scopes', scope, setScope],
  ] as const;
  return (
    <Panel title="View as another user" label="View as another user" onClose={onClose}>
      <form
        class="row-form"
        onSubmit={(event) => {
          event.preventDefault();
          void apply();
        }}
      >
        <p class="quiet">
          The service signs a token with its development secret, on this machine alone. Requests then have the
          rights of that user.
        </p>
        {inputs.map(([label, value, set]) => (
          <div class="field" key={label}>
            <label for={`as-${label}`}>{label}</label>
            <div class="field-input">
              <input
                id={`as-${label}`}
                value={value}
                autocomplete="off"
                onInput={(event) => set(event.currentTarget.value)}
              />
            </div>
          </div>
        ))}
        {error !== null && <ErrorBox error={error} />}
        <div class="actions">
          <button type="submit" class="primary">
            View as this user
          </button>
        </div>
      </form>
    </Panel>
  );
}
