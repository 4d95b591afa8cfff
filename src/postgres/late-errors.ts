import type { EventEmitter } from 'node:events';

/**
 * For connections of the driver, which removes its listeners when it closes them. A server that shuts down meanwhile still has an
 * error to report, and an error event without a listener ends the process.
 */
export function ignoreLateErrors(emitter: EventEmitter): void {
  emitter.on('error', () => undefined);
}
