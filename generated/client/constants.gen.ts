// Generated from openapi/ by `make generate`. Not edited by hand.
import type { ShareType } from './types.gen.js';

export const ShareTypeServer = 'server' satisfies ShareType;
export const ShareTypeUser = 'user' satisfies ShareType;
export const ShareTypeBackup = 'backup' satisfies ShareType;
export const ShareTypeDelegate = 'delegate' satisfies ShareType;
