/** Files that `dbr dev` follows. */
import { watch } from 'node:fs';
import { basename } from 'node:path';

/** Editors write a file in several steps. */
const QUIET_MS = 100;

export interface Watched {
  readonly folder: string;
  /** Whether a change of the file concerns this watcher. */
  readonly concerns: (name: string) => boolean;
}

/**
 * Calls `act` after changes, once for those that follow each other closely, and never twice at a time.
 * @returns a function that ends it
 */
export function watchFiles(watched: readonly Watched[], act: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isWanted = false;
  let isClosed = false;

  async function run(): Promise<void> {
    if (isRunning) {
      isWanted = true;
      return;
    }
    isRunning = true;
    do {
      isWanted = false;
      await act();
    } while (isWanted && !isClosed);
    isRunning = false;
  }

  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), QUIET_MS);
  };
  const watchers = watched.map(({ folder, concerns }) =>
    watch(folder, (_, name) => {
      if (!isClosed && (name === null || concerns(basename(name)))) changed();
    }),
  );
  return () => {
    isClosed = true;
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
