import type { EventEmitter } from 'node:events';

/**
 * Ignores errors of a connection that the driver closes. The driver removes its listeners then, but a server that shuts
 * down may still send an error, and an error event without a listener ends the process.
 */
export function ignoreLateErrors(emitter: EventEmitter): void {
  emitter.on('error', () => undefined);
}
