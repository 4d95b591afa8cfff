/** What the screen asked last, and the last requests of the page: each as an address, as commands, as statement and plan. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { currentScreen, onSent, publicPath, sentRequests } from '../api.js';
import { Icon } from '../icon.js';
import { RequestForm, TABS, TABS_OF_CONSOLE, type Tab } from './request-form.js';
import { RequestList } from './request-list.js';

export function RequestBar(): JSX.Element | null {
  const [, update] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [chosen, choose] = useState<number | null>(null);
  const [chosenTab, setTab] = useState<Tab>('URL');
  useEffect(() => onSent(() => update((count) => count + 1)), []);
  const all = sentRequests();
  const ofScreen = all.filter(({ screen }) => screen === currentScreen());
  const latest = ofScreen.find(({ request }) => request.isOfConsole !== true) ?? ofScreen[0] ?? all[0];
  const shown = all.find(({ id }) => id === chosen) ?? latest;
  if (shown === undefined) return null;
  const tabs = shown.request.isOfConsole === true ? TABS_OF_CONSOLE : TABS;
  const tab = tabs.includes(chosenTab) ? chosenTab : 'URL';
  return (
    <section class="requests" aria-label="Requests">
      <button
        type="button"
        class="request-line"
        aria-expanded={isOpen}
        aria-controls="request-details"
        onClick={() => {
          setOpen(!isOpen);
          choose(null);
        }}
      >
        <span class={`status ${shown.status < 400 ? 'good' : 'bad'}`}>{shown.status}</span>
        <b>{shown.request.method}</b>
        <span class="target">{publicPath(shown.request)}</span>
        <span class="quiet">{shown.milliseconds.toFixed(0)} ms</span>
        <span class={isOpen ? 'fold' : 'fold folded'}>
          <Icon name="down" />
        </span>
      </button>
      {isOpen && (
        <div id="request-details" class="request-details">
          <RequestList
            requests={all}
            shown={shown.id}
            onChoose={(id) => choose(id === latest?.id ? null : id)}
          />
          <div class="request-forms">
            <div
              role="tablist"
              aria-label="Form of the request"
              onKeyDown={(event) => moveTab(event, tabs, tab, setTab)}
            >
              {tabs.map((name) => (
                <button
                  key={name}
                  type="button"
                  role="tab"
                  id={`tab-${name}`}
                  aria-selected={name === tab}
                  tabIndex={name === tab ? 0 : -1}
                  onClick={() => setTab(name)}
                >
                  {name}
                </button>
              ))}
            </div>
            <div role="tabpanel" aria-labelledby={`tab-${tab}`}>
              <RequestForm key={shown.id} tab={tab} request={shown.request} />
            </div>
          </div>
        </div>
      )}
    </section>
  );
}

function moveTab(event: KeyboardEvent, tabs: readonly Tab[], tab: Tab, setTab: (tab: Tab) => void): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
  if (step === 0 || next === undefined) return;
  setTab(next);
  document.getElementById(`tab-${next}`)?.focus();
}
