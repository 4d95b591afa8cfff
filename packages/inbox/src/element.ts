/** The custom element `<dbr-inbox>`: a bell with the number of unread notifications, and the panel with their list. */
import type { Notification } from 'dbr-client';
import type { Change } from './api.js';
import { button, drawing, make, setAttribute, setText } from './dom.js';
import { openInbox, type Inbox } from './inbox.js';
import { createItemView, type ItemContext, type ItemView } from './item.js';
import { ICONS } from './icons.js';
import { dayText, languageOf, messagesOf, unreadText, type Messages } from './messages.js';
import { createSettings } from './settings.js';
import type { InboxState, View } from './state.js';
import { STYLE } from './style.js';
import { showToast } from './toasts.js';

/** Details of `dbr-inbox-open`, which a page cancels to open the address itself. */
export interface OpenDetail {
  readonly notification: Notification;
}

const SEEN_AFTER_MS = 300;
const MINUTE_MS = 60_000;

/**
 * Attributes: `url` (address of the service; absent means that of the page), `categories` (a tab for each, separated by
 * commas, with a label as `name=Label`), `embedded` (the panel stands in the page, without a bell), `toasts`, `inline-formats`, `theme` (`light`, `dark`).
 * The language is that of the nearest `lang`. Properties: `token`, `messages`.
 */
export class DbrInbox extends HTMLElement {
  static readonly observedAttributes = ['url', 'categories', 'embedded', 'lang'];

  #token: string | (() => string | Promise<string>) | null = null;
  #messages: Partial<Messages> = {};
  #close: (() => void) | null = null;
  #inbox: Inbox | null = null;

  /** A token, or a function that returns the present one. The inbox opens when it is set. */
  set token(token: string | (() => string | Promise<string>) | null) {
    this.#token = token;
    this.#restart();
  }
  get token(): string | (() => string | Promise<string>) | null {
    return this.#token;
  }

  /** Texts in place of those of the language. */
  set messages(messages: Partial<Messages>) {
    this.#messages = messages;
    this.#restart();
  }

  /** What the inbox knows; null while it is closed. */
  get state(): InboxState | null {
    return this.#inbox?.state ?? null;
  }

  connectedCallback(): void {
    this.#restart();
  }

  disconnectedCallback(): void {
    this.#close?.();
    this.#close = null;
    this.#inbox = null;
  }

  attributeChangedCallback(): void {
    if (this.#close !== null) this.#restart();
  }

  #restart(): void {
    this.disconnectedCallback();
    const token = this.#token;
    if (!this.isConnected || token === null) return;
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    const language = languageOf(this.closest('[lang]')?.getAttribute('lang') ?? '', navigator.language);
    const page = render(this, shadow, {
      token: typeof token === 'function' ? token : () => token,
      messages: { ...messagesOf(language), ...this.#messages },
      language,
    });
    this.#inbox = page.inbox;
    this.#close = page.close;
  }
}

interface Settings {
  readonly token: () => string | Promise<string>;
  readonly messages: Messages;
  readonly language: string;
}

/** Opens the inbox of an element and shows it in its shadow tree until `close` is called. */
function render(host: HTMLElement, shadow: ShadowRoot, settings: Settings) {
  const { messages, language } = settings;
  const isEmbedded = host.hasAttribute('embedded');
  const named = categoriesOf(host.getAttribute('categories') ?? '');
  const categories = [...named.keys()];
  const labelOf = (category: string): string => named.get(category) ?? category;
  const items = new Map<string, ItemView>();
  const unseen = new Set<string>();
  let seenTimer: ReturnType<typeof setTimeout> | undefined;
  let settingsOpen = false;
  let fault = '';

  /** Several changes of one moment are shown at once. */
  let queued = false;

  // The bell and what it announces.
  const badge = make('span', { part: 'badge', 'aria-hidden': 'true' });
  const bell = button('', () => toggle(panel.hidden !== false), {
    part: 'bell',
    'aria-expanded': 'false',
    'aria-controls': 'panel',
  });
  bell.append(drawing(ICONS.bell), badge);
  bell.hidden = isEmbedded;
  const announced = make('div', { class: 'hidden', role: 'status' });

  // The panel.
  const heading = make('h2', { id: 'heading', tabindex: '-1' }, messages.notifications);
  const gear = button(
    '',
    () => void toggleSettings(),
    { 'aria-label': messages.settings, 'aria-expanded': 'false', class: 'icon', title: messages.settings },
    drawing(ICONS.settings),
  );
  const readAll = button(
    '',
    (pressed) => void act(pressed, () => inbox.change('mark-read', null)),
    { 'aria-label': messages.readAll, class: 'icon', title: messages.readAll },
    drawing(ICONS.readAll),
  );
  const closer = button(
    '',
    () => toggle(false),
    { 'aria-label': messages.close, class: 'icon' },
    drawing(ICONS.close),
  );
  closer.hidden = isEmbedded;
  const tabs = make('div', { role: 'tablist', 'aria-label': messages.notifications });
  const banner = make('div', { class: 'banner', role: 'status' });
  const list = make('ul', { 'aria-labelledby': 'heading' });
  const notice = make('div', { class: 'notice' });
  const more = button(messages.more, (pressed) => void act(pressed, () => inbox.more()), { class: 'more' });
  const content = make(
    'div',
    { part: 'content', role: 'tabpanel', tabindex: '0', id: 'content', 'aria-labelledby': 'tab-0' },
    list,
    notice,
    more,
  );
  const choices = make('div', { class: 'choices' });
  choices.hidden = true;
  const panel = make(
    'section',
    { part: 'panel', id: 'panel', role: isEmbedded ? 'region' : 'dialog', 'aria-labelledby': 'heading' },
    make('header', {}, heading, readAll, gear, closer),
    tabs,
    banner,
    choices,
    content,
  );
  panel.hidden = !isEmbedded;
  const toasts = make('div', { part: 'toasts', role: 'log', 'aria-label': messages.notifications });

  // A tab for all, for each category, for what is snoozed and for the archive.
  const places: readonly (readonly [string, View])[] = [
    [messages.inbox, { place: 'inbox', category: null }],
    ...categories.map((category): readonly [string, View] => [
      labelOf(category),
      { place: 'inbox', category },
    ]),
    [messages.snoozed, { place: 'snoozed', category: null }],
    [messages.archive, { place: 'archive', category: null }],
  ];
  const tabButtons = places.map(([text, view], index) =>
    button(text, () => select(index, view), {
      role: 'tab',
      id: `tab-${String(index)}`,
      'aria-controls': 'content',
    }),
  );
  tabs.append(...tabButtons);
  tabs.addEventListener('keydown', (event) => {
    const at = tabButtons.findIndex((tab) => tab === shadow.activeElement);
    const isRight = getComputedStyle(host).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const isLeft = isRight === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight';
    const to =
      event.key === isRight
        ? at + 1
        : event.key === isLeft
          ? at - 1
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? -1
              : null;
    if (to === null) return;
    event.preventDefault();
    tabButtons.at(to % tabButtons.length)?.focus();
    tabButtons.at(to % tabButtons.length)?.click();
  });
  markTab(0);

  function markTab(index: number): void {
    tabButtons.forEach((tab, at) => {
      setAttribute(tab, 'aria-selected', String(at === index));
      setAttribute(tab, 'tabindex', at === index ? '0' : '-1');
    });
    setAttribute(content, 'aria-labelledby', `tab-${String(index)}`);
  }

  function select(index: number, view: View): void {
    markTab(index);
    fault = '';
    content.scrollTop = 0;
    inbox.show(view);
  }

  /** Opens or closes the panel; the focus goes into it, and back to the bell. */
  function toggle(open: boolean): void {
    if (isEmbedded) return;
    panel.hidden = !open;
    // The panel ends where the bell ends, unless it would leave the page there.
    setAttribute(panel, 'data-align', null);
    const { left, right } = panel.getBoundingClientRect();
    setAttribute(panel, 'data-align', open && (left < 0 || right > innerWidth) ? 'start' : null);
    setAttribute(bell, 'aria-expanded', String(open));
    if (open) heading.focus();
    else bell.focus();
    // The list shows what they announced.
    if (open) toasts.replaceChildren();
    observeItems();
  }
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') toggle(false);
  });

  /** Does what a button asks for; the stream shows the outcome. */
  async function act(
    pressed: HTMLElement,
    run: () => Promise<void>,
    refusal = messages.refused,
  ): Promise<void> {
    if (pressed.getAttribute('aria-busy') === 'true') return;
    setAttribute(pressed, 'aria-busy', 'true');
    fault = '';
    try {
      await run();
      // Without a stream nothing shows the outcome.
      if (inbox.connection !== 'open') await inbox.reload();
    } catch {
      fault = refusal;
    }
    setAttribute(pressed, 'aria-busy', null);
    update();
  }

  async function toggleSettings(): Promise<void> {
    settingsOpen = !settingsOpen;
    setAttribute(gear, 'aria-expanded', String(settingsOpen));
    update();
    if (settingsOpen) await act(gear, () => inbox.readPreferences());
  }

  function showSettings(): void {
    choices.hidden = !settingsOpen;
    content.hidden = settingsOpen;
    tabs.hidden = settingsOpen;
    if (settingsOpen) settingsView.update();
  }

  const itemContext: ItemContext = {
    messages,
    language,
    inlineFormats: host.hasAttribute('inline-formats'),
    now: () => inbox.now(),
    change: (id: string, change: Change, pressed) => void act(pressed, () => inbox.change(change, [id])),
    snooze: (id, until, pressed) => void act(pressed, () => inbox.snooze([id], until)),
    opened: (notification) => {
      inbox.change('mark-interacted', [notification.notificationId]).catch(() => undefined);
      const detail: OpenDetail = { notification };
      return host.dispatchEvent(
        new CustomEvent('dbr-inbox-open', { detail, bubbles: true, composed: true, cancelable: true }),
      );
    },
  };

  /** Puts the views of the items in their order; the focus of one that goes moves to the one that follows. */
  function showItems(state: InboxState): void {
    const focused = shadow.activeElement?.closest('li') ?? null;
    const at = focused === null ? -1 : [...list.children].indexOf(focused);
    const wanted = state.items.map((item) => {
      const known = items.get(item.notificationId);
      known?.update(item);
      if (known !== undefined) return known.root;
      const made = createItemView(item, itemContext);
      items.set(item.notificationId, made);
      return made.root;
    });
    const kept = new Set(wanted);
    for (const [id, { root }] of items)
      if (!kept.has(root)) {
        root.remove();
        items.delete(id);
      }
    wanted.forEach((root, index) => {
      if (list.children[index] !== root) list.insertBefore(root, list.children[index] ?? null);
    });
    showDays(state);
    if (focused !== null && !focused.isConnected) {
      const next = list.children[Math.min(at, list.children.length - 1)]?.querySelector('button');
      (next ?? heading).focus();
    }
  }

  /** Names the day of the first item of each. */
  function showDays({ items: shown }: InboxState): void {
    let before = '';
    for (const { notificationId, createdAt } of shown) {
      const day = dayText(messages, Date.parse(createdAt), inbox.now(), language);
      items.get(notificationId)?.setDay(day === before ? '' : day);
      before = day;
    }
  }

  /** The last refusal that the console of the browser has. */
  let reported: number | null = null;
  /** A page whose token is refused is to be seen as such by its developers, too. */
  function reportRefusal(): void {
    if (inbox.refusal === 401 && reported !== 401)
      console.error('dbr-inbox: the service refuses the token of the property `token` (401).');
    reported = inbox.refusal;
  }

  function update(): void {
    const { state } = inbox;
    reportRefusal();
    const isSignedOut = inbox.refusal === 401;
    const count = state.unread ?? 0;
    const words = unreadText(messages, count, language);
    badge.hidden = count === 0;
    setText(badge, count > 99 ? '99+' : String(count));
    setAttribute(
      bell,
      'aria-label',
      count === 0 ? messages.notifications : `${messages.notifications}: ${words}`,
    );
    setText(announced, state.unread === null ? '' : words);
    const isOffline = inbox.connection === 'waiting' || inbox.connection === 'refused';
    banner.hidden = fault === '' && !isOffline && !isSignedOut;
    setText(
      banner,
      isSignedOut ? messages.signedOut : fault !== '' ? fault : isOffline ? messages.offline : '',
    );
    setAttribute(banner, 'class', fault === '' && !isSignedOut ? 'banner' : 'banner error');
    showItems(state);
    showNotice();
    more.hidden = state.cursor === null;
    setAttribute(content, 'aria-busy', String(inbox.list === 'loading'));
    readAll.hidden = count === 0;
    showSettings();
    observeItems();
  }

  function showNotice(): void {
    notice.hidden = inbox.state.items.length > 0 && inbox.list !== 'failed';
    if (notice.hidden || notice.dataset['list'] === inbox.list) return;
    notice.dataset['list'] = inbox.list;
    if (inbox.list === 'failed')
      notice.replaceChildren(
        make('p', { role: 'alert' }, messages.failed),
        button(messages.retry, () => void inbox.reload()),
      );
    else notice.replaceChildren(inbox.list === 'loading' ? messages.loading : messages.empty);
  }

  // An item is seen when the open panel has shown it for a moment.
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const id = [...items].find(([, { root }]) => root === target)?.[0];
        if (id !== undefined && isIntersecting) unseen.add(id);
      }
      clearTimeout(seenTimer);
      seenTimer = setTimeout(() => void sendSeen(), SEEN_AFTER_MS);
    },
    { threshold: 0.5 },
  );
  function observeItems(): void {
    observer.disconnect();
    if (panel.hidden) return;
    for (const { notificationId, seenAt } of inbox.state.items) {
      const root = items.get(notificationId)?.root;
      if (seenAt === null && root !== undefined) observer.observe(root);
    }
  }
  async function sendSeen(): Promise<void> {
    const waiting = new Set(
      inbox.state.items.flatMap(({ notificationId, seenAt }) => (seenAt === null ? [notificationId] : [])),
    );
    const ids = [...unseen].filter((id) => waiting.has(id)).slice(0, 100);
    unseen.clear();
    if (ids.length > 0 && !panel.hidden) await inbox.change('mark-seen', ids).catch(() => undefined);
  }

  function toast(notification: Notification): void {
    if (host.hasAttribute('toasts') && panel.hidden) showToast(toasts, notification, itemContext);
  }

  const inbox = openInbox({
    url: new URL(host.getAttribute('url') ?? '/', document.baseURI).href,
    token: settings.token,
    fetch: (input, init) => fetch(input, init),
    view: { place: 'inbox', category: null },
    onChange: () => queueUpdate(),
    onCreated: toast,
  });
  function queueUpdate(): void {
    if (queued) return;
    queued = true;
    queueMicrotask(() => {
      queued = false;
      update();
      host.dispatchEvent(new CustomEvent('dbr-inbox-change'));
    });
  }
  const settingsView = createSettings({
    ...{ inbox, messages, categories, labelOf },
    act: (pressed, run, refusal) => void act(pressed, run, refusal),
  });
  choices.append(settingsView.root);
  const clock = setInterval(update, MINUTE_MS);

  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  shadow.adoptedStyleSheets = [sheet];
  shadow.replaceChildren(bell, announced, panel, toasts);
  update();
  return {
    inbox,
    close: (): void => {
      inbox.close();
      observer.disconnect();
      clearInterval(clock);
      clearTimeout(seenTimer);
    },
  };
}

/** Categories of the attribute with their labels, in their order: `orders=Your orders,news`. */
function categoriesOf(text: string): ReadonlyMap<string, string> {
  const named = text.split(',').map((part) => {
    const [name = '', ...label] = part.split('=');
    return [name.trim(), label.join('=').trim() || name.trim()] as const;
  });
  return new Map(named.filter(([name]) => name !== ''));
}

if (!customElements.get('dbr-inbox')) customElements.define('dbr-inbox', DbrInbox);
