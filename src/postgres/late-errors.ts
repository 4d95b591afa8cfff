import type { EventEmitter } from 'node:events';

/**
 * For what the driver opened and stops listening to when it closes it. A server that goes down meanwhile still has a
 * last word, and an error event that nobody hears ends the process.
 */
export function ignoreLateErrors(emitter: EventEmitter): void {
  emitter.on('error', () => undefined);
}
