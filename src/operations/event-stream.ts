/** The text of server-sent events (WHATWG HTML §9.2.6). */

/** Milliseconds that a client waits before it comes back. */
export const RETRY_TEXT = 'retry: 3000\n\n';

/** A comment: keeps intermediaries from closing an idle connection. */
export const KEEP_ALIVE_TEXT = ': keep-alive\n\n';

/** @param data may hold line ends, each of which begins another `data:` line */
export function eventText(id: string, event: string, data: string): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `id: ${id}\nevent: ${event}\n${lines.join('')}\n`;
}

/**
 * The client lost events and lists again.
 * @param id where a client that connects again goes on; null leaves it where it was
 */
export const resetText = (id: string | null): string =>
  `${id === null ? '' : `id: ${id}\n`}event: reset\ndata: {}\n\n`;
