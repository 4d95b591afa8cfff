/** The text of server-sent events (WHATWG HTML §9.2.6). */

/** Milliseconds that a client waits before it comes back. */
export const RETRY_TEXT = 'retry: 3000\n\n';

/** A comment: keeps intermediaries from closing an idle connection. */
export const KEEP_ALIVE_TEXT = ': keep-alive\n\n';

/** The client lost events and is to list again. */
export const RESET_TEXT = 'event: reset\ndata: {}\n\n';

/** @param data may hold line ends, each of which begins another `data:` line */
export function eventText(id: string, event: string, data: string): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `id: ${id}\nevent: ${event}\n${lines.join('')}\n`;
}
