/** The bar at the top: the menu of a phone, who is signed in, and how to become another user. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Information } from './api.js';
import { Icon } from './icon.js';
import { Text } from './parts.js';
import { currentToken, signOut, viewAs, viewAsToken } from './session.js';
import { nameOf, SignedIn } from './signed-in.js';
import { claimsOf } from './token.js';
import { ViewAsPanel } from './view-as-panel.js';

interface TopBarProps {
  readonly information: Information;
  /** Of the database; null until it is known. */
  readonly role: string | null;
  readonly isMenuOpen: boolean;
  readonly onMenu: () => void;
  /** The token has changed. */
  readonly onIdentity: () => void;
}

export function TopBar({ information, role, isMenuOpen, onMenu, onIdentity }: TopBarProps): JSX.Element {
  const [isChoosing, setChoosing] = useState(false);
  const isOther = viewAsToken() !== null;
  const token = currentToken();
  return (
    <header class={isOther ? 'top other' : 'top'}>
      <button
        type="button"
        class="icon menu"
        aria-label="Menu"
        aria-expanded={isMenuOpen}
        aria-controls="navigation"
        onClick={onMenu}
      >
        <Icon name="menu" />
      </button>
      <a class="brand" href="#/">
        dbr
      </a>
      <span class="spread" />
      {isOther && (
        <strong class="viewing-as" role="status">
          Development: viewing as <Text>{nameOf(token, claimsOf(token))}</Text>
          {role !== null && (
            <>
              , <Text>{role}</Text>
            </>
          )}
        </strong>
      )}
      {!isOther && <SignedIn role={role} />}
      {information.development && !isOther && (
        <button type="button" onClick={() => setChoosing(true)}>
          View as…
        </button>
      )}
      {isOther && (
        <button
          type="button"
          onClick={() => {
            viewAs(null);
            onIdentity();
          }}
        >
          Back to yourself
        </button>
      )}
      <button
        type="button"
        onClick={() => {
          signOut();
          onIdentity();
        }}
      >
        Sign out
      </button>
      {isChoosing && <ViewAsPanel onClose={() => setChoosing(false)} onChanged={onIdentity} />}
    </header>
  );
}
