/** Settings of notifications and signing. */
import { isNetwork } from '../base/networks.js';
import { boolean, integer, list, optionalText, optionalTextThat, type Kind } from './kinds.js';
import { setting } from './setting.js';

const networks: Kind<readonly string[]> = {
  ...list,
  parse(raw) {
    const parsed = list.parse(raw);
    const isRight = !parsed.ok || parsed.value.every(isNetwork);
    return isRight ? parsed : { ok: false, expected: 'addresses, and networks such as 10.0.0.0/8' };
  },
};

export const OPERATIONS_SETTINGS = {
  'service-jwt-secret': setting(
    optionalText,
    null,
    'Shared secret for tokens of notifications and signing (HS256, HS384, HS512), at least 32 bytes; tokens of `jwt-issuers` and `jwks-uri` open them, too. Unset: a development default with a warning; if NODE_ENV is production and one of these areas is served without an issuer, the start fails.',
    { secret: true, environment: ['JWT_SECRET'] },
  ),
  'require-jwt-exp': setting(boolean, false, 'Refuse tokens of notifications and signing without `exp`.', {
    environment: ['REQUIRE_JWT_EXP'],
  }),
  'notifications-list-limit': setting(
    integer(0, 1_000_000),
    20,
    'Maximum number of lists of one user per second; 0: no limit.',
  ),
  'notifications-count-limit': setting(
    integer(0, 1_000_000),
    20,
    'Maximum number of unread counts of one user per second; 0: no limit. Streams send the count without it.',
  ),
  'notifications-mark-all-limit': setting(
    integer(0, 1_000_000),
    5,
    'Maximum number of marks of all notifications by one user per minute; 0: no limit.',
  ),
  'notifications-change-limit': setting(
    integer(0, 1_000_000),
    600,
    'Maximum number of marks of single notifications and changes of preferences by one user per minute; 0: no limit.',
  ),
  'notifications-ticket-limit': setting(
    integer(0, 1_000_000),
    30,
    'Maximum number of new stream tickets of one user per minute; 0: no limit. A user has at most ten tickets at a time.',
  ),
  'signing-config-limit': setting(
    integer(0, 1_000_000),
    30,
    'Maximum number of changes of the signing configuration of one account per minute; 0: no limit.',
  ),
  'signing-session-limit': setting(
    integer(0, 1_000_000),
    10,
    'Maximum number of new signing sessions of one account per minute, and of claimed keys of its delegate; 0: no limit.',
  ),
  'signing-ready-time': setting(
    integer(1, 3600),
    60,
    'Time in which all parties must join a signing session and the share for a delegate must be supplied, in seconds; then the session expires.',
  ),
  'signing-recent-auth': setting(
    integer(0, 31_536_000),
    0,
    'Maximum age of the authentication (claim `auth_time`) of a user who changes a signing configuration, in seconds; 0: no limit.',
  ),
  'signing-retention': setting(
    integer(0, 36_500),
    90,
    'Days after which ended signing sessions and their events are deleted; 0 keeps them. The audit log is always kept.',
  ),
  'notifications-new-user-days': setting(
    integer(0, 36_500),
    7,
    'Notifications for a whole tenant that are older than these days when a user appears for the first time are read for the user.',
  ),
  'notifications-retention': setting(integer(1, 36_500), 90, 'Days after which notifications are deleted.'),
  'webhooks-key': setting(
    optionalTextThat((value) => value.length >= 32, 'at least 32 characters'),
    null,
    'Text of at least 32 characters under which secrets of webhooks are encrypted in the database. Unset: `service-jwt-secret`. With another key, webhooks need new secrets.',
    { secret: true, fromFile: true },
  ),
  'webhooks-allowed-networks': setting(
    networks,
    [],
    'Networks to which webhooks may send although they are not public, with `http` too, as `127.0.0.0/8`. For development, and for receivers in a private network.',
  ),
  'webhooks-attempts': setting(
    integer(1, 20),
    10,
    'Attempts to send a message of a webhook before it is dead.',
  ),
  'webhooks-timeout': setting(
    integer(1, 60),
    10,
    'Time of one attempt to send a message of a webhook, in seconds.',
  ),
  'webhooks-retention': setting(
    integer(1, 90),
    7,
    'Days after which messages of webhooks are deleted, sent or not.',
  ),
} as const;
