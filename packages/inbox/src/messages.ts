/** The texts of the inbox. A page gives others by `messages`; `{count}` and `{time}` are replaced. */

export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

export interface Messages {
  readonly notifications: string;
  readonly unread: Plural;
  readonly manyUnread: string;
  readonly close: string;
  readonly readAll: string;
  readonly archiveAll: string;
  readonly inbox: string;
  readonly snoozed: string;
  readonly archive: string;
  readonly settings: string;
  readonly settingsOf: string;
  readonly critical: string;
  readonly empty: string;
  readonly failed: string;
  readonly retry: string;
  readonly refused: string;
  readonly signedOut: string;
  readonly offline: string;
  readonly loading: string;
  readonly more: string;
  readonly markRead: string;
  readonly markUnread: string;
  readonly moveToArchive: string;
  readonly moveToInbox: string;
  readonly snooze: string;
  readonly hour: string;
  readonly tomorrow: string;
  readonly week: string;
  readonly until: string;
  readonly remove: string;
  readonly isUnread: string;
  readonly open: string;
  readonly today: string;
  readonly yesterday: string;
  readonly quietLegend: string;
  readonly quietHours: string;
  readonly quietFrom: string;
  readonly quietTo: string;
  readonly severities: Readonly<Record<string, string>>;
}

export const ENGLISH: Messages = {
  notifications: 'Notifications',
  unread: { one: '{count} unread', other: '{count} unread' },
  manyUnread: 'more than 10,000 unread',
  close: 'Close',
  readAll: 'Mark all as read',
  archiveAll: 'Archive all',
  inbox: 'Inbox',
  snoozed: 'Snoozed',
  archive: 'Archive',
  settings: 'Settings',
  settingsOf: 'Notifications of these categories reach you:',
  critical: 'This category cannot be switched off.',
  empty: 'No notifications here.',
  failed: 'The notifications could not be loaded.',
  retry: 'Try again',
  refused: 'This could not be done. Try again.',
  signedOut: 'You are signed out. Sign in again to see your notifications.',
  offline: 'Connecting again…',
  loading: 'Loading…',
  more: 'Show more',
  markRead: 'Mark as read',
  markUnread: 'Mark as unread',
  moveToArchive: 'Archive',
  moveToInbox: 'Move to the inbox',
  snooze: 'Snooze',
  hour: 'For an hour',
  tomorrow: 'Until tomorrow',
  week: 'Until next week',
  until: 'Until {time}',
  remove: 'Delete',
  isUnread: 'Unread',
  open: 'Open',
  today: 'Today',
  yesterday: 'Yesterday',
  quietLegend: 'Quiet hours',
  quietHours: 'Hold notifications every day',
  quietFrom: 'from',
  quietTo: 'to',
  severities: { info: 'Information', success: 'Success', warning: 'Warning', critical: 'Critical' },
};

export const GERMAN: Messages = {
  notifications: 'Mitteilungen',
  unread: { one: '{count} ungelesen', other: '{count} ungelesen' },
  manyUnread: 'mehr als 10.000 ungelesen',
  close: 'Schließen',
  readAll: 'Alle als gelesen markieren',
  archiveAll: 'Alle archivieren',
  inbox: 'Eingang',
  snoozed: 'Zurückgestellt',
  archive: 'Archiv',
  settings: 'Einstellungen',
  settingsOf: 'Mitteilungen dieser Kategorien erreichen Sie:',
  critical: 'Diese Kategorie lässt sich nicht abschalten.',
  empty: 'Hier sind keine Mitteilungen.',
  failed: 'Die Mitteilungen konnten nicht geladen werden.',
  retry: 'Noch einmal versuchen',
  refused: 'Das ging nicht. Versuchen Sie es noch einmal.',
  signedOut: 'Sie sind abgemeldet. Melden Sie sich wieder an, um Ihre Mitteilungen zu sehen.',
  offline: 'Die Verbindung wird wieder hergestellt…',
  loading: 'Wird geladen…',
  more: 'Mehr zeigen',
  markRead: 'Als gelesen markieren',
  markUnread: 'Als ungelesen markieren',
  moveToArchive: 'Archivieren',
  moveToInbox: 'In den Eingang legen',
  snooze: 'Zurückstellen',
  hour: 'Für eine Stunde',
  tomorrow: 'Bis morgen',
  week: 'Bis nächste Woche',
  until: 'Bis {time}',
  remove: 'Löschen',
  isUnread: 'Ungelesen',
  open: 'Öffnen',
  today: 'Heute',
  yesterday: 'Gestern',
  quietLegend: 'Ruhezeit',
  quietHours: 'Mitteilungen jeden Tag zurückhalten',
  quietFrom: 'von',
  quietTo: 'bis',
  severities: { info: 'Hinweis', success: 'Erfolg', warning: 'Warnung', critical: 'Dringend' },
};

const BY_LANGUAGE: Readonly<Record<string, Messages>> = { en: ENGLISH, de: GERMAN };

/** The language that a page names (BCP 47, also as `en_US`), or another one where `Intl` refuses the name. */
export function languageOf(name: string, other: string): string {
  try {
    return Intl.getCanonicalLocales(name.replaceAll('_', '-'))[0] ?? other;
  } catch {
    return other;
  }
}

/** The texts of a language (BCP 47), or English. */
export const messagesOf = (language: string): Messages =>
  BY_LANGUAGE[language.split('-')[0] ?? ''] ?? ENGLISH;

/** The number of unread notifications in words. */
export function unreadText({ unread, manyUnread }: Messages, count: number, language: string): string {
  if (count > 10_000) return manyUnread;
  const form = unread[new Intl.PluralRules(language).select(count)] ?? unread.other;
  return form.replace('{count}', new Intl.NumberFormat(language).format(count));
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long ago a time is, in words; the date after a week. */
export function agoText(time: number, now: number, language: string): string {
  const passed = now - time;
  if (passed > 7 * 86_400_000) return new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(time);
  const [unit, length] = UNITS.find(([, each]) => passed >= each) ?? (['minute', 60_000] as const);
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }).format(
    -Math.max(0, Math.floor(passed / length)),
    unit,
  );
}

/** The day of a time: today, yesterday, or its date. Days are those of the clock of the page. */
export function dayText({ today, yesterday }: Messages, time: number, now: number, language: string): string {
  const day = new Date(time).toDateString();
  const before = new Date(now);
  if (day === before.toDateString()) return today;
  // A day may have 23 or 25 hours.
  before.setDate(before.getDate() - 1);
  if (day === before.toDateString()) return yesterday;
  return new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long' }).format(time);
}
