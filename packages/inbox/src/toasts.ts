/** New notifications in a corner of the page, while the panel is closed. */
import type { Notification } from 'dbr-client';
import { button, drawing, make } from './dom.js';
import { ICONS } from './icons.js';
import { linkOf, type LinkContext } from './link.js';
import type { Messages } from './messages.js';

const TOAST_MS = 6000;
const MOST_TOASTS = 3;

interface ToastContext extends LinkContext {
  readonly messages: Messages;
}

/** Shows a notification, also the text, and leads to its address. A critical one stays until it is closed. */
export function showToast(place: HTMLElement, notification: Notification, context: ToastContext): void {
  const { messages } = context;
  const { title, body, severity } = notification;
  const hasSeverity = severity !== 'info';
  const shown = make(
    'div',
    { part: 'toast', 'data-severity': severity },
    make(
      'div',
      {},
      hasSeverity ? make('span', { class: 'severity' }, messages.severities[severity] ?? severity) : null,
      make('strong', { dir: 'auto' }, linkOf(notification, title, context) ?? title),
      body === null || body === '' ? null : make('p', { dir: 'auto' }, body),
    ),
    button('', () => shown.remove(), { 'aria-label': messages.close }, drawing(ICONS.close)),
  );
  place.append(shown);
  while (place.children.length > MOST_TOASTS) place.firstElementChild?.remove();
  if (severity === 'critical') return;
  // It stays while it is read (WCAG 2.2.1).
  const leave = (): void => {
    if (shown.matches(':hover, :focus-within')) setTimeout(leave, TOAST_MS);
    else shown.remove();
  };
  setTimeout(leave, TOAST_MS);
}
