/** One notification of the list. Its elements stay while its marks change, so that the focus stays. */
import type { Notification } from 'dbr-client';
import type { Change } from './api.js';
import { button, make, setAttribute, setText } from './dom.js';
import { inlineNodes } from './inline.js';
import { linkOf, type LinkContext } from './link.js';
import { agoText, type Messages } from './messages.js';

export interface ItemContext extends LinkContext {
  readonly messages: Messages;
  readonly language: string;
  readonly inlineFormats: boolean;
  /** The time of the service, in milliseconds since the epoch. */
  readonly now: () => number;
  change(id: string, change: Change, pressed: HTMLElement): void;
  snooze(id: string, until: Date, pressed: HTMLElement): void;
}

export interface ItemView {
  readonly root: HTMLLIElement;
  update(item: Notification): void;
  /** Shows the day above the item; empty for an item of the day of the one before. */
  setDay(day: string): void;
}

export function createItemView(first: Notification, context: ItemContext): ItemView {
  const { messages, language } = context;
  const id = first.notificationId;
  let item = first;

  const unread = make('span', { class: 'hidden' });
  const title = make('h3', { dir: 'auto', id: `title-${id}` });
  const body = make('p', { dir: 'auto', part: 'body' });
  const severity = make('span', { class: 'severity' });
  const actor = make('span', { dir: 'auto' });
  const avatar = make('span', { class: 'avatar', 'aria-hidden': 'true', part: 'avatar' });
  const day = make('div', { class: 'day', role: 'heading', 'aria-level': '3' });
  day.hidden = true;
  /** Holds the link of the notification, its one action. */
  const action = make('span', { class: 'action' });
  const until = make('span');
  const time = make('time', {
    datetime: first.createdAt,
    title: new Date(first.createdAt).toLocaleString(language),
  });
  const change = (name: Change) => (pressed: HTMLElement) => context.change(id, name, pressed);
  const described = { 'aria-describedby': `title-${id}` };
  const read = button(
    '',
    (pressed) => context.change(id, item.isRead ? 'mark-unread' : 'mark-read', pressed),
    described,
  );
  const move = button('', (pressed) => context.change(id, moveOf(item), pressed), described);
  const snooze = snoozeMenu(context, (date, pressed) => context.snooze(id, date, pressed), described);
  const remove = button(messages.remove, change('delete'), described);
  const root = make(
    'li',
    { part: 'item' },
    day,
    avatar,
    title,
    body,
    make('div', { class: 'meta' }, severity, actor, time, until),
    make('div', { class: 'actions', part: 'actions' }, action, read, move, snooze, remove),
  );

  function update(next: Notification): void {
    if (next !== item || title.childNodes.length === 0) showText(next);
    item = next;
    setAttribute(root, 'data-unread', !item.isRead);
    setAttribute(root, 'data-severity', item.severity);
    const isPlain = item.severity === 'info';
    severity.hidden = isPlain;
    setText(severity, isPlain ? '' : (messages.severities[item.severity] ?? item.severity));
    actor.hidden = (item.actor?.name ?? null) === null;
    setText(actor, item.actor?.name ?? '');
    avatar.hidden = actor.hidden;
    setText(avatar, initialsOf(item.actor?.name ?? ''));
    setText(unread, item.isRead ? '' : `${messages.isUnread}: `);
    setText(time, agoText(Date.parse(item.createdAt), context.now(), language));
    setText(until, item.snoozedUntil === null ? '' : untilText(messages, item.snoozedUntil, language));
    setText(read, item.isRead ? messages.markUnread : messages.markRead);
    setText(move, moveOf(item) === 'archive' ? messages.moveToArchive : messages.moveToInbox);
    snooze.hidden = item.archivedAt !== null && item.snoozedUntil === null;
  }

  function showText(next: Notification): void {
    if (
      title.childNodes.length > 0 &&
      next.title === item.title &&
      next.body === item.body &&
      next.actionUrl === item.actionUrl
    )
      return;
    title.replaceChildren(unread, linkOf(next, next.title, context) ?? next.title);
    action.replaceChildren(linkOf(next, messages.open, context, described) ?? '');
    body.hidden = next.body === null || next.body === '';
    body.replaceChildren(...(context.inlineFormats ? inlineNodes(next.body ?? '') : [next.body ?? '']));
  }

  update(first);
  return {
    root,
    update,
    setDay: (text) => {
      day.hidden = text === '';
      setText(day, text);
    },
  };
}

/** The first letters of the first and the last word of a name. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const letters = [words[0], ...(words.length > 1 ? [words.at(-1)] : [])];
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase();
}

const moveOf = ({ archivedAt, snoozedUntil }: Notification): Change =>
  snoozedUntil !== null ? 'unsnooze' : archivedAt !== null ? 'unarchive' : 'archive';

const untilText = ({ until }: Messages, time: string, language: string): string =>
  until.replace(
    '{time}',
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(Date.parse(time)),
  );

/** The morning of a day after the given time, at eight. */
function morning(now: number, days: number): Date {
  const date = new Date(now);
  date.setDate(date.getDate() + days);
  date.setHours(8, 0, 0, 0);
  return date;
}

function snoozeMenu(
  { messages, now }: ItemContext,
  onChosen: (until: Date, pressed: HTMLElement) => void,
  described: Readonly<Record<string, string>>,
): HTMLDetailsElement {
  const choice = (text: string, until: () => Date) =>
    button(text, (pressed) => {
      menu.open = false;
      onChosen(until(), pressed);
    });
  const menu = make(
    'details',
    {},
    make('summary', described, messages.snooze),
    make(
      'div',
      {},
      choice(messages.hour, () => new Date(now() + 3_600_000)),
      choice(messages.tomorrow, () => morning(now(), 1)),
      choice(messages.week, () => morning(now(), 7 - ((new Date(now()).getDay() + 6) % 7))),
    ),
  );
  return menu;
}
