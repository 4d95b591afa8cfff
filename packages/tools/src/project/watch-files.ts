/** Files that `dbr dev` follows. */
import { watch } from 'node:fs';
import { basename, resolve } from 'node:path';

/** Editors write a file in several steps. */
const QUIET_MS = 100;
/** Until a folder that cannot be watched is tried again. */
const PAUSE_MS = 1000;

export interface Watched {
  readonly folder: string;
  /** Whether a change of the file concerns this watcher. */
  readonly concerns: (name: string) => boolean;
}

/**
 * Calls `act` after changes, once for those that follow each other closely, and never twice at a time.
 * @param fail called with the error of a folder that cannot be watched, which is then tried again until it can
 * @returns a function that ends it
 */
export function watchFiles(
  watched: readonly Watched[],
  act: () => Promise<void>,
  fail: (error: unknown) => void,
): () => void {
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
  const unwatch = watched.map(({ folder, concerns }) =>
    watchFolder(
      resolve(folder),
      (name) => {
        if (name === null || concerns(name)) changed();
      },
      fail,
    ),
  );
  return () => {
    isClosed = true;
    clearTimeout(timer);
    for (const end of unwatch) end();
  };
}

/**
 * Watches a folder, also one that is made again, as by a change of branch. Everything in it may have changed then.
 * @param changed called with the name of a file, or null for any
 */
function watchFolder(
  folder: string,
  changed: (name: string | null) => void,
  fail: (error: unknown) => void,
): () => void {
  let isWatched = true;
  let end = (): void => undefined;

  function open(): void {
    try {
      const watcher = watch(folder, (event, name) => {
        // The folder is removed or renamed: the watch has ended with it.
        if (event === 'rename' && name === basename(folder)) openAgain();
        else changed(name);
      }).on('error', lost);
      end = () => watcher.close();
      isWatched = true;
    } catch (error) {
      lost(error);
    }
  }

  function openAgain(): void {
    end();
    open();
    if (isWatched) changed(null);
  }

  function lost(error: unknown): void {
    end();
    if (isWatched) fail(error);
    isWatched = false;
    const timer = setTimeout(openAgain, PAUSE_MS);
    end = () => clearTimeout(timer);
  }

  open();
  return () => end();
}
