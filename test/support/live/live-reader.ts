/** A client that reads one live answer and folds its events. It opens its stream again after each end. */
import { setTimeout as delay } from 'node:timers/promises';
import { foldChange, type FoldedState } from './fold.js';

export interface LiveReader {
  readonly state: FoldedState;
  /** Events so far, by their names. */
  readonly events: Readonly<Record<string, number>>;
  /** Reasons of the ends so far. */
  readonly ends: readonly string[];
  readonly applied: string | null;
  /** Resolves with the first answer. */
  readonly opened: Promise<void>;
  close(): void;
}

export interface LiveReaderOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function openLiveReader({ url, headers = {} }: LiveReaderOptions): LiveReader {
  const gone = new AbortController();
  const events: Record<string, number> = {};
  const ends: string[] = [];
  let state: FoldedState = { rows: [], total: null };
  let applied: string | null = null;
  let lastId: string | null = null;
  let markOpen = (): void => undefined;
  const opened = new Promise<void>((resolve) => (markOpen = resolve));

  function take(block: string): void {
    const fields = new Map<string, string[]>();
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
      fields.set(name, [...(fields.get(name) ?? []), value]);
    }
    const event = fields.get('event')?.[0];
    if (event === undefined) return;
    events[event] = (events[event] ?? 0) + 1;
    lastId = fields.get('id')?.[0] ?? lastId;
    const data = (fields.get('data') ?? []).join('\n');
    if (event === 'snapshot') state = { rows: JSON.parse(data) as unknown[], total: null };
    else if (event === 'change') state = foldChange(state, data);
    else ends.push((JSON.parse(data) as { readonly reason: string }).reason);
    markOpen();
  }

  async function readOnce(): Promise<void> {
    const response = await fetch(url, {
      headers: {
        ...headers,
        Accept: 'text/event-stream',
        ...(lastId === null ? {} : { 'Last-Event-ID': lastId }),
      },
      signal: gone.signal,
    });
    // The service connects to the log, or connects again.
    if (response.status === 503) return await response.body?.cancel();
    if (!response.ok) throw new Error(`${String(response.status)} ${await response.text()}`);
    applied = response.headers.get('preference-applied');
    let text = '';
    if (response.body === null) return;
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        take(text.slice(0, end));
        text = text.slice(end + 2);
      }
    }
  }

  async function readAll(): Promise<void> {
    while (!gone.signal.aborted) {
      await readOnce().catch((error: unknown) => {
        if (!gone.signal.aborted) ends.push(error instanceof Error ? error.message : String(error));
      });
      await delay(50);
    }
  }

  void readAll();
  return {
    events,
    ends,
    opened,
    get state() {
      return state;
    },
    get applied() {
      return applied;
    },
    close: () => gone.abort(),
  };
}
