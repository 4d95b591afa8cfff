/** What reaches the user: the categories that are on, and the hours in which the inbox is quiet. */
import type { QuietHours } from 'dbr-client';
import { make } from './dom.js';
import type { Inbox } from './inbox.js';
import type { Messages } from './messages.js';

interface SettingsContext {
  readonly inbox: Inbox;
  readonly messages: Messages;
  /** Categories that the page names. */
  readonly categories: readonly string[];
  readonly labelOf: (category: string) => string;
  /** Runs a change of the control, and says when it was refused. */
  readonly act: (pressed: HTMLElement, run: () => Promise<void>, refusal?: string) => void;
}

interface SettingsView {
  readonly root: HTMLElement;
  readonly update: () => void;
}

const CHANNEL = 'inApp';
/** The hours with which quiet hours begin, if the user switches them on. */
const FIRST_HOURS = { starts: '22:00', ends: '07:00' };

export function createSettings(context: SettingsContext): SettingsView {
  const categories = categoryBoxes(context);
  const quiet = quietHours(context);
  return {
    root: make('div', { part: 'settings' }, categories.root, quiet.root),
    update: () => {
      categories.update();
      quiet.update();
    },
  };
}

function categoryBoxes({ inbox, messages, categories, labelOf, act }: SettingsContext): SettingsView {
  const root = make('fieldset');
  /** Each stays while its category is known: a click begins and ends on one box. */
  const boxes = new Map<string, HTMLInputElement>();

  function boxOf(category: string): HTMLInputElement {
    const box = make('input', { type: 'checkbox', value: category });
    box.addEventListener('change', () => {
      const changed = { ...inbox.preferences?.categories, [category]: { inApp: box.checked } };
      act(box, () => inbox.savePreferences({ categories: changed }), messages.critical);
    });
    boxes.set(category, box);
    return box;
  }

  function update(): void {
    const { preferences } = inbox;
    root.hidden = preferences === null;
    if (preferences === null) return;
    const known = [
      ...new Set([
        ...categories,
        ...Object.keys(preferences.categories),
        ...inbox.state.items.map(({ category }) => category),
      ]),
    ].sort();
    if (boxes.size !== known.length || known.some((category) => !boxes.has(category))) {
      const focused = [...boxes.values()].find((box) => box.matches(':focus'));
      const labels = known.map((category) =>
        make(
          'label',
          {},
          boxes.get(category) ?? boxOf(category),
          make('span', { dir: 'auto' }, labelOf(category)),
        ),
      );
      for (const category of boxes.keys()) if (!known.includes(category)) boxes.delete(category);
      root.replaceChildren(make('legend', {}, messages.settingsOf), ...labels);
      focused?.focus();
    }
    for (const [category, box] of boxes)
      if (box.getAttribute('aria-busy') !== 'true')
        box.checked = preferences.categories[category]?.inApp ?? true;
  }

  return { root, update };
}

/** The hours of the inbox. Notifications of these hours come when they end. */
function quietHours({ inbox, messages, act }: SettingsContext): SettingsView {
  const box = make('input', { type: 'checkbox' });
  const starts = make('input', { type: 'time', 'aria-label': messages.quietFrom });
  const ends = make('input', { type: 'time', 'aria-label': messages.quietTo });
  const zone = make('span', { class: 'zone' });
  const hours = make(
    'div',
    { class: 'hours' },
    make('span', { 'aria-hidden': 'true' }, messages.quietFrom),
    starts,
    make('span', { 'aria-hidden': 'true' }, messages.quietTo),
    ends,
    zone,
  );
  const root = make(
    'fieldset',
    {},
    make('legend', {}, messages.quietLegend),
    make('label', {}, box, make('span', {}, messages.quietHours)),
    hours,
  );

  /** The zone that was chosen stays; the first is that of the browser. */
  const zoneOf = (present: QuietHours | undefined): string =>
    present?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const present = (): QuietHours | undefined => inbox.quietHours?.find(({ channel }) => channel === CHANNEL);

  box.addEventListener('change', () =>
    act(box, () =>
      box.checked
        ? inbox.saveQuietHours(CHANNEL, { timeZone: zoneOf(undefined), ...FIRST_HOURS })
        : inbox.removeQuietHours(CHANNEL),
    ),
  );
  for (const input of [starts, ends])
    input.addEventListener('change', () => {
      if (starts.value === '' || ends.value === '' || starts.value === ends.value) return;
      const changed = { timeZone: zoneOf(present()), starts: starts.value, ends: ends.value };
      act(input, () => inbox.saveQuietHours(CHANNEL, changed));
    });

  function update(): void {
    root.hidden = inbox.quietHours === null;
    const found = present();
    hours.hidden = found === undefined;
    if (box.getAttribute('aria-busy') !== 'true') box.checked = found !== undefined;
    if (found === undefined) return;
    zone.textContent = found.timeZone;
    for (const [input, time] of [
      [starts, found.starts],
      [ends, found.ends],
    ] as const)
      // What is being typed is not taken away.
      if (!input.matches(':focus') && input.getAttribute('aria-busy') !== 'true') input.value = time;
  }

  return { root, update };
}
