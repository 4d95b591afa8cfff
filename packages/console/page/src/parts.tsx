/** Small parts of all screens. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from './api.js';
import { bytesText, isHex } from './fields/bytes.js';
import { textOf, visible, type Json } from './json.js';

/** Text from the database: isolated from the direction of its surroundings, with control characters made visible. */
export const Text = ({ children }: { readonly children: string }): JSX.Element => (
  <bdi dir="auto">{visible(children)}</bdi>
);

const LONGEST_CELL = 200;

/** A value in a cell: one line, cut. */
export function Value({ value }: { readonly value: Json | undefined }): JSX.Element {
  if (value === null || value === undefined) return <span class="null">null</span>;
  if (value === '') return <span class="null">empty</span>;
  const text = textOf(value);
  if (text.startsWith('\\x') && isHex(text)) return <span class="quiet">{bytesText(text)}</span>;
  return <Text>{text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text}</Text>;
}

export function ErrorBox({ error }: { readonly error: unknown }): JSX.Element {
  const known = error instanceof ApiError ? error : null;
  return (
    <div class="error" role="alert">
      <p>
        {known !== null && <code>{known.code === '' ? String(known.status) : known.code}</code>}{' '}
        <Text>{error instanceof Error ? error.message : String(error)}</Text>
      </p>
      {known?.details != null && (
        <p class="quiet">
          <Text>{known.details}</Text>
        </p>
      )}
      {known?.hint != null && (
        <p class="quiet">
          Hint: <Text>{known.hint}</Text>
        </p>
      )}
    </div>
  );
}

/** What a request did, or why it was refused. */
export type Outcome = { readonly said: string } | { readonly error: unknown } | null;

export function Said({ outcome }: { readonly outcome: Outcome }): JSX.Element | null {
  if (outcome === null) return null;
  return 'said' in outcome ? <p role="status">{outcome.said}</p> : <ErrorBox error={outcome.error} />;
}

export const Comment = ({ children }: { readonly children: string | null }): JSX.Element | null =>
  children === null || children === '' ? null : (
    <p class="comment">
      <Text>{children}</Text>
    </p>
  );

export function CopyButton({
  text,
  label = 'Copy',
}: {
  readonly text: string;
  readonly label?: string;
}): JSX.Element {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      class="small"
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      {copied ? 'Copied' : label}
    </button>
  );
}

export const Code = ({ text, label }: { readonly text: string; readonly label: string }): JSX.Element => (
  <div class="code">
    <pre tabIndex={0} aria-label={label} role="region">
      <Text>{text}</Text>
    </pre>
    <CopyButton text={text} />
  </div>
);

/** The state of something that is loaded. */
export type Loaded<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'loaded'; readonly value: Value };

/** Loads again whenever a dependency changes. The earlier value stays until then. */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  dependencies: readonly unknown[],
): Loaded<Value> {
  const [loaded, setLoaded] = useState<Loaded<Value>>({ state: 'loading' });
  useEffect(() => {
    const abort = new AbortController();
    load(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) setLoaded({ state: 'loaded', value });
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setLoaded({ state: 'failed', error });
      },
    );
    return () => abort.abort();
  }, [...dependencies]);
  return loaded;
}

export const Loading = (): JSX.Element => (
  <p class="quiet loading" role="status">
    Loading…
  </p>
);

export function Show<Value>({
  of,
  title,
  children,
}: {
  readonly of: Loaded<Value>;
  /** The title of a screen that could not be loaded. */
  readonly title?: string;
  readonly children: (value: Value) => ComponentChildren;
}): JSX.Element {
  switch (of.state) {
    case 'loading':
      return <Loading />;
    case 'failed':
      return title === undefined ? (
        <ErrorBox error={of.error} />
      ) : (
        <div class="screen">
          <h1>
            <Text>{title}</Text>
          </h1>
          <ErrorBox error={of.error} />
        </div>
      );
    case 'loaded':
      return <>{children(of.value)}</>;
  }
}
