/** Server-sent events by `fetch`, which can carry a token (WHATWG HTML §9.2.6). */

export interface ServerEvent {
  readonly type: string;
  readonly data: string;
}

/** Longest text without an end of an event, in characters. */
const LONGEST = 70_000_000;

/** Reads events until the stream ends or the reader stops. */
export async function* eventsOf(response: Response): AsyncGenerator<ServerEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text = (text + value).slice(-LONGEST).replaceAll('\r\n', '\n');
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = eventOf(text.slice(0, end));
      text = text.slice(end + 2);
      if (event !== null) yield event;
    }
  }
}

function eventOf(block: string): ServerEvent | null {
  let type = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === 'event') type = value;
    if (name === 'data') data.push(value);
  }
  return data.length === 0 ? null : { type, data: data.join('\n') };
}
