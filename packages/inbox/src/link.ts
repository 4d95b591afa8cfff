/** The address of a notification as a link. */
import type { Notification } from 'dbr-client';
import { safeAddress } from './api.js';
import { make } from './dom.js';

export interface LinkContext {
  /** The user has opened the address. Returns whether the page lets the browser follow it. */
  readonly opened: (item: Notification) => boolean;
}

/** Null for a notification without an address, or with one that is not followed. */
export function linkOf(
  item: Notification,
  text: string,
  { opened }: LinkContext,
  attributes: Readonly<Record<string, string>> = {},
): HTMLAnchorElement | null {
  const address = safeAddress(item, document.baseURI);
  if (address === null) return null;
  const isForeign = address.origin !== location.origin;
  const link = make(
    'a',
    {
      href: address.href,
      rel: 'noopener noreferrer',
      target: isForeign ? '_blank' : null,
      ...attributes,
    },
    text,
  );
  link.addEventListener('click', (event) => {
    if (!opened(item)) event.preventDefault();
  });
  return link;
}
