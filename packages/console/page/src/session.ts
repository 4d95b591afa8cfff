/** The token of the page: in this tab alone, and for as long as it is open. */

const TOKEN = 'dbr.token';
const VIEW_AS = 'dbr.view-as';

/** Takes the token out of the fragment, where `dbr serve` puts it, so that it is in no history entry. False if it has none. */
export function takeTokenFromAddress(): boolean {
  const token = /^#token=([\w.-]+)$/.exec(location.hash)?.[1];
  if (token === undefined) return false;
  signIn(token);
  history.replaceState(null, '', '#/');
  return true;
}

export const signIn = (token: string): void => {
  sessionStorage.setItem(TOKEN, token);
  sessionStorage.removeItem(VIEW_AS);
};

export const signOut = (): void => sessionStorage.clear();

export const ownToken = (): string | null => sessionStorage.getItem(TOKEN);
export const viewAsToken = (): string | null => sessionStorage.getItem(VIEW_AS);
export const viewAs = (token: string | null): void => {
  if (token === null) sessionStorage.removeItem(VIEW_AS);
  else sessionStorage.setItem(VIEW_AS, token);
};

/** The token that requests carry. */
export const currentToken = (): string | null => viewAsToken() ?? ownToken();
