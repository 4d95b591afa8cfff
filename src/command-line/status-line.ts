/** One line of a terminal that says what a command does while it takes time. A pipe gets none. */
import { visibleText } from '../base/visible-text.js';

/** Until the line is shown, and from one text to the next, in milliseconds. */
const PATIENCE_MS = 1000;
const INTERVAL_MS = 500;

/** A terminal, such as `process.stderr`. */
interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface StatusLine {
  /** Whether there is a terminal. */
  readonly isShown: boolean;
  /** Shows a text from a second after the first call on; the text is asked for again while it is shown. */
  show(text: () => string): void;
  /** Removes the line. Called before anything else is printed. */
  end(): void;
}

export function createStatusLine(terminal: Terminal = process.stderr): StatusLine {
  const isShown = terminal.isTTY === true;
  let current = (): string => '';
  let timer: NodeJS.Timeout | null = null;
  let isWritten = false;
  function write(): void {
    // A longer line would be written into two, of which one stays. Some terminals say that they have no columns.
    const columns = terminal.columns ?? 0;
    const line = visibleText(current())
      .replaceAll('\n', ' ')
      .slice(0, (columns === 0 ? 80 : columns) - 1);
    terminal.write(`\r\u001b[2K${line}`);
    isWritten = true;
    timer = setTimeout(write, INTERVAL_MS).unref();
  }
  return {
    isShown,
    show(text) {
      current = text;
      if (isShown) timer ??= setTimeout(write, PATIENCE_MS).unref();
    },
    end() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      if (isWritten) terminal.write('\r\u001b[2K');
      isWritten = false;
    },
  };
}
