/** Sends a notification of area B through the port of area A. */
import type { UserId } from '../base/identifiers.js';
import type { DatabaseTask } from '../postgres/database.js';
import type { NotificationPort, SigningNotification } from './router-port.js';

/** A title has at most 200 characters, and so has the name of an account. */
const MAX_NAME = 80;
const MAX_ACTOR_ID = 200;

/** The name of an account for a title. */
export const shortName = (name: string): string =>
  name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 1)}…`;

/** The user as the actor of a notification, as JSON text; null for identifiers that are longer than those of actors. */
export const actorText = (userId: UserId): string | null =>
  userId.length > MAX_ACTOR_ID ? null : JSON.stringify({ type: 'user', id: userId, name: null });

/** Sends the notification as part of the transaction, if the area of notifications runs. */
export async function sendNotification(
  port: NotificationPort | null,
  transaction: DatabaseTask,
  notification: SigningNotification,
): Promise<void> {
  await port?.publish(transaction, notification);
}
