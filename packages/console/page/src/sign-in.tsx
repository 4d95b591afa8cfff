/** Signing in by a token, and viewing as another user or role in development. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { mint } from './api.js';
import { ErrorBox, Panel } from './parts.js';
import { claimsOf, currentToken, signIn, viewAs } from './session.js';

export function SignIn({ onSignedIn }: { readonly onSignedIn: () => void }): JSX.Element {
  const [token, setToken] = useState('');
  return (
    <main class="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          signIn(token.trim());
          onSignedIn();
        }}
      >
        <h1>dbr console</h1>
        <p class="quiet">
          The console has the rights of your token. It stays in this tab and is sent to this service alone.
        </p>
        <label for="token">Token</label>
        <textarea
          id="token"
          rows={5}
          spellcheck={false}
          autocomplete="off"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <div class="actions">
          <button type="submit" class="primary" disabled={token.trim() === ''}>
            Sign in
          </button>
          <button
            type="button"
            onClick={() => {
              signIn('');
              onSignedIn();
            }}
          >
            Continue without a token
          </button>
        </div>
      </form>
    </main>
  );
}

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
