/** Settings of the process: areas, ports, limits of requests, log. */
import { TIMED_STEPS } from '../observability/server-timing.js';
import { isNetwork } from '../base/networks.js';
import { isPathPrefix } from '../base/paths.js';
import {
  boolean,
  integer,
  list,
  octal,
  oneOf,
  optionalInteger,
  optionalList,
  optionalText,
  optionalTextThat,
  processes,
  someOf,
  text,
  textThat,
  type Kind,
} from './kinds.js';
import { PORTS, seconds, setting } from './setting.js';

const proxies: Kind<readonly string[]> = {
  ...list,
  parse(raw) {
    const parsed = list.parse(raw);
    const isRight = !parsed.ok || parsed.value.every((item) => item === 'unix' || isNetwork(item));
    return isRight ? parsed : { ok: false, expected: 'addresses, networks such as 10.0.0.0/8, and unix' };
  },
};

/** Headers that frame a message: repeated from a request, they would frame the response by another body. */
const FRAMING = /^(?:connection|content-length|transfer-encoding)$/i;

const repeatedHeader = optionalTextThat(
  (name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && !FRAMING.test(name),
  'the name of a header, and none of Connection, Content-Length and Transfer-Encoding',
);

export const SERVER_SETTINGS = {
  areas: setting(
    someOf('notifications', 'signing', 'data-api'),
    ['notifications', 'signing', 'data-api'],
    'Areas that the process serves.',
  ),
  compatibility: setting(
    oneOf('none', 'postgrest'),
    'none',
    '`postgrest`: dbr takes the place of PostgREST. Its file, its variables `PGRST_…` and its settings `pgrst.…` in the database are read, errors have its codes `PGRST…`, SQLSTATE `PGRST` gives full control of a response, and the defaults of `areas`, `admin-server-port`, `admin-server-host`, `db-uri` and `db-channel` are those of PostgREST: the data API alone, no admin port, the address of `server-host`, `postgresql://` and `pgrst`.',
  ),
  'server-workers': setting(
    processes(256),
    1,
    'Number of worker processes that share the ports; `auto`: one for each core. Pools, connection limits and body memory are divided among them.',
  ),
  'server-worker-timeout': setting(
    integer(0, 3600),
    30,
    'Seconds after which a worker that does not respond to the primary is killed and replaced; 0: never. The time in which the machine or the primary is suspended is not counted.',
  ),
  'server-host': setting(
    text,
    '!4',
    'Address of the public port: an address, a name, `!4` (any IPv4), `!6` (any IPv6) or `*` (any). By default 127.0.0.1 where tokens are verified with the development secret.',
  ),
  'server-port': setting(PORTS, 3000, 'The public port; 0 takes a free port.'),
  'server-unix-socket': setting(
    optionalText,
    null,
    'Path of a Unix socket to serve on instead of the public port.',
  ),
  'server-unix-socket-mode': setting(octal(0o600, 0o777), 0o660, 'File mode of the Unix socket.'),
  'server-path-prefix': setting(
    textThat(
      (value) => value === '' || isPathPrefix(value),
      'a path such as `/rest/v1`: segments of letters, digits and `._~-`, without a slash at the end, not below `/api/v1` and `/accounts`',
    ),
    '',
    'Path below which the data API is served, such as `/rest/v1`; empty: at the root. Notifications, signing and the published document keep their paths.',
  ),
  'server-max-body-size': setting(
    integer(1024, 1_073_741_824),
    104_857_600,
    'Maximum size of a request body of the data API, in bytes; a larger body gives 413. The maximum of areas A and B is 1 MiB.',
  ),
  'server-max-header-size': setting(
    integer(8_192, 1_048_576),
    65_536,
    'Maximum size of request line and headers together, in bytes; more give 431.',
  ),
  'server-max-body-memory': setting(
    integer(1_048_576, 1_099_511_627_776),
    268_435_456,
    'Maximum memory for request bodies of all requests together, in bytes; beyond it, requests with a body get 503. A body that is longer than all of it gets 413.',
  ),
  'server-min-upload-rate': setting(
    integer(0, 1_000_000_000),
    1024,
    'Minimum rate of a request body after its first ten seconds, in bytes per second; a slower body gives 408. 0: no minimum.',
  ),
  'server-header-timeout': setting(
    seconds(3600),
    30,
    'Maximum time to receive the headers of a request, in seconds.',
  ),
  'server-request-timeout': setting(
    seconds(3600),
    300,
    'Maximum time to receive a whole request, in seconds.',
  ),
  'server-keep-alive-timeout': setting(
    seconds(3600),
    65,
    'Maximum idle time of a connection between two requests, in seconds. Set it higher than the idle time of a proxy in front.',
  ),
  'server-max-connections': setting(
    integer(1, 1_000_000),
    10_000,
    'Maximum number of open connections of the public port; further connections get 503 and are closed.',
  ),
  'server-max-connections-per-address': setting(
    integer(0, 1_000_000),
    1000,
    'Maximum number of open connections of the public port from one IPv4 address or one IPv6 network of 64 bits; more get 503. Of `server-trusted-proxies`, requests in progress count for the address of their client. 0: no limit.',
  ),
  'server-trusted-proxies': setting(
    proxies,
    [],
    'Proxies in front, whose statements about clients are believed: addresses, networks such as `10.0.0.0/8`, and `unix` for the Unix socket. Limits, turns, audit log, access log and traces use the address of the client.',
  ),
  'server-forwarded-header': setting(
    oneOf('x-forwarded-for', 'forwarded', 'none'),
    'x-forwarded-for',
    'Header in which `server-trusted-proxies` state the client: `x-forwarded-for` with `X-Forwarded-Proto`, or `forwarded` (RFC 7239). Choose the one that the proxy sets: it may pass on the other as the client sent it.',
  ),
  'server-shutdown-timeout': setting(
    seconds(3600),
    30,
    'Time for requests in flight to finish after SIGTERM, in seconds.',
  ),
  'server-drain-time': setting(
    integer(0, 3600),
    0,
    'Time after SIGTERM in which `/ready` responds with 503 and requests are still accepted, in seconds, so that load balancers stop sending requests before the ports close. A second signal ends it. 0: the service stops at once.',
  ),
  'server-cors-allowed-origins': setting(
    optionalList,
    null,
    'Origins whose scripts may call the service (CORS). Unset: all origins, without credentials.',
  ),
  'server-trace-header': setting(
    repeatedHeader,
    null,
    'Name of a request header that the response repeats.',
    {
      reloadable: true,
      inDatabase: true,
    },
  ),
  'server-timing-enabled': setting(
    boolean,
    false,
    `Send the header \`Server-Timing\` with responses of the data API: milliseconds of ${TIMED_STEPS.join(', ')}. Responses with an error have no such header.`,
    { reloadable: true, inDatabase: true },
  ),
  'admin-server-host': setting(text, '127.0.0.1', 'Address of the admin port.'),
  'admin-server-port': setting<number | null>(
    optionalInteger(0, 65_535),
    3001,
    'The admin port, for probes and metrics; 0 takes a free port, `""` in the file opens none.',
  ),
  'admin-server-allowed-hosts': setting(
    list,
    [],
    'Names of the host under which clients reach the admin port, such as `dbr.monitoring.svc`. Addresses, `localhost`, names below it and `admin-server-host` need no entry; any other name gives 421, so that no web page reaches the port by a name of its own (DNS rebinding).',
  ),
  'admin-server-max-connections': setting(
    integer(1, 1_000_000),
    100,
    'Maximum number of open connections of the admin port; further connections are closed at once.',
  ),
  'router-host': setting(text, '127.0.0.1', 'Address of the router port.'),
  'router-port': setting(PORTS, 3002, 'The gRPC port of the router; 0 takes a free port.'),
  'router-tls-cert': setting(
    optionalText,
    null,
    'Path of the certificate of the router, in PEM. Without certificates and without `router-dev-tokens`, the router accepts no party.',
  ),
  'router-tls-key': setting(optionalText, null, 'Path of the private key of `router-tls-cert`, in PEM.'),
  'router-tls-ca': setting(
    optionalText,
    null,
    'Path of the certificate authority that issues the certificates of parties, in PEM.',
  ),
  'router-dev-tokens': setting(
    boolean,
    false,
    'Accept parties without a certificate by a token signed with their identity key, for development. The start fails if NODE_ENV is production.',
  ),
  'router-call-limit': setting(
    integer(0, 1_000_000),
    1000,
    'Maximum number of calls of one party per second; 0: no limit.',
  ),
  'router-max-connections': setting(
    integer(1, 1_000_000),
    4096,
    'Maximum number of open connections to the router; further connections are refused.',
  ),
  'router-max-connections-per-address': setting(
    integer(1, 1_000_000),
    256,
    'Maximum number of open connections to the router from one IPv4 address or one IPv6 network of 64 bits. Raise it behind a load balancer, whose address all parties share.',
  ),
  'bus-uri': setting(
    optionalText,
    null,
    'Address of NATS JetStream for the mailboxes of the router, as `nats://…`, of a cluster with several hosts (`nats://a:4222,b:4222`). Unset: the mailboxes are in the database.',
    { secret: true, fromFile: true },
  ),
  'bus-max-bytes': setting(
    integer(16_777_216, Number.MAX_SAFE_INTEGER),
    1_073_741_824,
    'Maximum size of all mailboxes in NATS, in bytes, which JetStream reserves. While the stream is full, senders get `RESOURCE_EXHAUSTED`; no message is discarded. A stream that exists gets this size at the start.',
  ),
  'bus-replicas': setting(
    integer(0, 5),
    0,
    'Replicas of the stream in NATS, for a stream that the service creates; one that exists keeps its own. 0: three where `bus-uri` names three servers or more, otherwise one.',
  ),
} as const;
