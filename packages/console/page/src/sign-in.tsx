/** Signing in by a token. What is not a token, or is refused by the service, is refused here. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, ask } from './api.js';
import { ErrorBox } from './parts.js';
import { signIn, signOut } from './session.js';
import { enteredToken } from './token.js';

export function SignIn({ onSignedIn }: { readonly onSignedIn: () => void }): JSX.Element {
  const [text, setText] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isAsking, setAsking] = useState(false);

  async function enter(): Promise<void> {
    const entered = enteredToken(text, Date.now());
    if ('problem' in entered) return setError(new Error(entered.problem));
    setAsking(true);
    signIn(entered.token);
    try {
      await ask({ kind: 'catalogue' }, { quiet: true });
    } catch (reason) {
      if (reason instanceof ApiError && reason.status === 401) {
        signOut();
        setAsking(false);
        return setError(reason);
      }
      // What else may fail, such as the database, is said by the screens.
    }
    onSignedIn();
  }

  return (
    <main class="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
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
          value={text}
          aria-describedby="token-help"
          aria-invalid={error !== null}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setError(null);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
        <p class="quiet" id="token-help">
          A JSON Web Token or an API key. In development <code>dbr token</code> prints one.
        </p>
        {error !== null && <ErrorBox error={error} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={text.trim() === '' || isAsking}>
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
