/** Settings of tokens: their issuers, keys and claims. */
import { parseIssuers, printIssuers, type IssuerSettings } from '../auth/issuer-settings.js';
import { isKeyAddress, KEY_ADDRESS_FORM } from '../auth/key-address.js';
import {
  CLAIM_PATH_FORM,
  isTrustedClaimPath,
  parseClaimPath,
  TRUSTED_CLAIM_PATH_FORM,
} from '../auth/claim-path.js';
import { boolean, integer, optionalText, optionalTextThat, textThat, type Kind } from './kinds.js';
import { DAY, live, seconds, setting } from './setting.js';

const issuers: Kind<readonly IssuerSettings[]> = {
  name: 'list',
  parse: parseIssuers,
  print: printIssuers,
};

const rolePath = textThat((value) => parseClaimPath(value) !== null, CLAIM_PATH_FORM);
const trustedPath = textThat(isTrustedClaimPath, TRUSTED_CLAIM_PATH_FORM);

export const TOKEN_SETTINGS = {
  'jwt-secret': setting(
    optionalText,
    null,
    'Key for tokens of the data API: a secret text of at least 32 bytes (48 for HS384, 64 for HS512), a JWK, an array of JWKs, a JWKS, or `@file`. A text that begins with `{` or `[` is a key set, and one that begins with `https://` is the address of a key set as in `jwks-uri`; neither is ever a secret. Public keys open all areas, a secret opens the data API. Unset: JWT_SECRET, beside `jwks-uri` and `jwt-issuers` only where it is set and notifications or signing are served; `""` for no key.',
    { ...live, secret: true, fromFile: true, binaryKey: true },
  ),
  'jwt-secret-is-base64': setting(boolean, false, 'The secret text is base64 or base64url.', {
    ...live,
    aliases: ['secret-is-base64'],
  }),
  'jwks-uri': setting(
    optionalTextThat(isKeyAddress, KEY_ADDRESS_FORM),
    null,
    'Address (https) of a key set (JWKS) for tokens of all areas, in addition to `jwt-secret` and `service-jwt-secret`. The service loads it at the start, refreshes it, and loads it again when a token names a key that it does not contain.',
    live,
  ),
  'jwt-issuers': setting(
    issuers,
    [],
    'Issuers of tokens of all areas: addresses separated by commas, a JSON array of addresses and objects, or `@file`. Members of an object: `issuer` (equal to the claim `iss`), `preset` (members for the tokens of `auth0`, `keycloak`, `supabase`, `cognito`, `entra` or `clerk`), `jwks-uri` (absent: the metadata of the issuer name it, OpenID Connect Discovery), `audience` (the token must name it, or one of several), `audience-claim`, `role-claim-key`, `tenant-claim`, `user-claim`, `scopes-claim`, `tenant` (of all its tokens), `tenants` (its tokens may name no other; `*` for any), `algorithms`, `roles` (its tokens may name no other). Of several issuers, one without `tenant` and `tenants` opens the data API alone. `jwt-secret` and `jwks-uri` verify tokens of other issuers only.',
    { ...live, fromFile: true },
  ),
  'jwks-refresh-interval': setting(
    integer(60, DAY),
    600,
    'Maximum time between two loads of a key set, in seconds. `Cache-Control` of the response can shorten it to one minute at least.',
    live,
  ),
  'jwks-refetch-interval': setting(
    integer(1, 3600),
    5,
    'Minimum time between two loads of a key set, in seconds, for any number of tokens that name unknown keys.',
    live,
  ),
  'jwks-max-stale': setting(
    integer(0, DAY * 365),
    DAY,
    'Maximum age of the last good copy of a key set that cannot be loaded, in seconds; 0 for any age.',
    live,
  ),
  'jwks-fetch-timeout': setting(
    seconds(60),
    5,
    'Maximum duration of a request for a key set or for the metadata of an issuer, in seconds.',
    live,
  ),
  'jwks-tls-ca': setting(
    optionalText,
    null,
    'Path of certificates in PEM: authorities, in addition to those of Node.js, that certify the servers of key sets.',
    { reloadable: true },
  ),
  'jwt-aud': setting(
    optionalText,
    null,
    'Audience of the service: a token with the claim `aud` must name it.',
    live,
  ),
  'jwt-role-claim-key': setting(
    rolePath,
    '.role',
    'Path of the role in the claims, such as `.app.roles[0]`, or a query of JSONPath (RFC 9535), such as `$.app.roles[?search(@, "^app_")]`, whose first value is the role.',
    {
      ...live,
      aliases: ['role-claim-key'],
    },
  ),
  'notifications-claim-tenant': setting(
    trustedPath,
    '.tenantId',
    'Path of the tenant in the claims of tokens of notifications and signing, as in `jwt-role-claim-key`. A list may have one member only.',
    live,
  ),
  'notifications-claim-user': setting(
    trustedPath,
    '.sub',
    'Path of the user in the claims of tokens of notifications and signing.',
    live,
  ),
  'notifications-claim-scopes': setting(
    trustedPath,
    '.scope',
    'Path of the scopes in the claims of tokens of notifications and signing: a text with blanks between them, or a list.',
    live,
  ),
  'api-keys': setting(
    boolean,
    false,
    'Accept the API keys of `dbr key create` in the data API, in the header `apikey` and as Bearer tokens. Needs `dbr migrate` on the database of `db-uri`.',
  ),
  'api-keys-refresh': setting(
    seconds(60),
    5,
    'Time between two looks for changes of the API keys, in seconds: a new key opens, and a revoked one is refused, that much later at most while the database responds. With `db-channel-enabled`, the commands notify the service.',
  ),
  'jwt-cache-max-lifetime': setting(
    integer(0, DAY * 365),
    0,
    'Maximum time in which a verified token without `exp` stays in the cache, in seconds; 0 is one hour. A change of keys empties the cache.',
    live,
  ),
} as const;
