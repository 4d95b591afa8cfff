/** The public port: the data API and the operations of the areas, behind one HTTP server. */
import type { PartContext } from './part-context.js';
import type { RequestListener } from 'node:http';
import { codePrefixOf } from '../errors/error-style.js';
import { createHandler } from '../http/application.js';
import type { BodyMemory } from '../http/body-memory.js';
import { clientAddresses, type ClientAddresses } from '../http/client-address.js';
import { corsPolicy } from '../http/cors.js';
import type { DataEndpoint } from '../http/data-endpoint.js';
import { protectedResource } from '../http/protected-resource.js';
import { renderError } from '../http/error-reply.js';
import { listen, type Listening, type ListenOptions } from '../http/listen.js';
import type { ReferenceFacts } from '../http/router.js';
import { createUploadRate } from '../http/upload-rate.js';
import type { Traces } from '../observability/tracer.js';
import { version } from '../base/package.js';
import type { FixedSettings } from '../settings/settings.js';
import type { Inbox } from '../mcp/notices.js';
import { AGENTS_PATH } from '../mcp/endpoint.js';
import { agentsBeside } from './agents.js';
import type { DataApiPart } from './data-api-part.js';
import type { ServiceAreasPart } from './service-areas-part.js';
import type { TokenKeys } from './token-keys.js';
import { listenAs } from './start-error.js';

interface PublicPort extends Pick<PartContext, 'fixed' | 'live' | 'observe' | 'metrics'> {
  /** Null while traces are switched off. */
  readonly traces: Traces | null;
  readonly dataApi: DataApiPart | null;
  readonly areas: ServiceAreasPart | null;
  readonly tokenKeys: TokenKeys;
  readonly bodyMemory: BodyMemory;
  /** True if other workers listen at the address, too. */
  readonly isShared: boolean;
}

/** @throws StartError if the address cannot be used */
export async function openPublicPort(port: PublicPort): Promise<Listening> {
  const { fixed: settings } = port;
  const clients = clientAddresses({
    trusted: settings['server-trusted-proxies'],
    header: settings['server-forwarded-header'],
  });
  const handler = openHandler(port, clients);
  const socket = settings['server-unix-socket'];
  return listenAs(() => listen(handler, listenOptions(port, clients)), {
    host: ['server-host', settings['server-host']],
    port: ['server-port', settings['server-port']],
    unixSocket: socket === null ? null : ['server-unix-socket', socket],
  });
}

const serverHeader = (): string => `dbr/${version()}`;

function openHandler(port: PublicPort, clients: ClientAddresses): RequestListener {
  const { fixed: settings, live, observe, metrics, areas, tokenKeys, bodyMemory: memory } = port;
  metrics.observeGauge('requestBodyBytes', () => memory.used);
  const rate = createUploadRate(settings['server-min-upload-rate'], () => performance.now());
  const bodies = { memory, rate };
  const data = dataEndpointOf(port);
  return createHandler({
    observe,
    traces: port.traces,
    clients,
    cors: corsPolicy(
      settings['server-cors-allowed-origins'],
      settings['db-replica-uri'] === null ? [] : ['Dbr-Position'],
    ),
    data,
    routes: async () => {
      const { createLiveTicket, createRouter } = await import('../http/router.js');
      return createRouter(
        areas === null
          ? null
          : {
              handlers: areas.handlers,
              authentication: tokenKeys,
              bodies,
              ticketHolder: areas.ticketHolder,
            },
        servesDocument(settings) ? () => referenceFacts(port) : null,
        data === null ? null : (...messages) => createLiveTicket(data, bodies, ...messages),
      );
    },
    leadsToReference: servesDocument(settings),
    maxBodySize: settings['server-max-body-size'],
    bodies,
    agents:
      data !== null && settings['mcp-enabled']
        ? protectedResource(AGENTS_PATH, settings['server-path-prefix'], () => ({
            publicUri: live.current['openapi-server-proxy-uri'],
            issuers: live.current['jwt-issuers'].map(({ issuer }) => issuer),
          }))
        : null,
    serverHeader: serverHeader(),
    live,
  });
}

/** PostgREST, whose place dbr takes, has no such paths. */
const servesDocument = ({ compatibility }: FixedSettings): boolean => compatibility !== 'postgrest';

function referenceFacts({ fixed, live, dataApi }: PublicPort): ReferenceFacts {
  const settings = live.current;
  const { areas, 'server-path-prefix': prefix } = fixed;
  if (dataApi === null) return { areas, prefix, schemas: [], description: 'absent' };
  const isOpen = settings['db-anon-role'] !== null;
  return {
    ...{ areas, prefix },
    // Requests without a token learn the names of schemas where they are answered.
    schemas: isOpen ? settings['db-schemas'] : [],
    description: settings['openapi-mode'] === 'disabled' ? 'disabled' : isOpen ? 'served' : 'token',
  };
}

/** Null if the data API is switched off. */
const dataEndpointOf = ({ fixed: settings, dataApi, areas, tokenKeys }: PublicPort): DataEndpoint | null =>
  dataApi === null
    ? null
    : {
        ...(settings['mcp-enabled']
          ? agentsBeside(dataApi, settings, inboxOf(areas, tokenKeys))
          : dataApi.api),
        inForce: dataApi.inForce,
        notReady: () => dataApi.notReady(),
        apiKeys: dataApi.apiKeys,
        liveTickets: dataApi.liveTickets,
        pathPrefix: settings['server-path-prefix'],
      };

const inboxOf = (areas: ServiceAreasPart | null, tokenKeys: TokenKeys): Inbox | null =>
  areas === null
    ? null
    : {
        handlers: areas.handlers,
        authenticate: (authorization) => tokenKeys.current.principals.authenticate(authorization),
      };

function listenOptions(
  { fixed: settings, observe, isShared }: PublicPort,
  clients: ClientAddresses,
): ListenOptions {
  const socket = settings['server-unix-socket'];
  return {
    host: settings['server-host'],
    port: settings['server-port'],
    unixSocket:
      socket === null ? undefined : { path: socket, mode: settings['server-unix-socket-mode'], isShared },
    pathPrefix: settings['server-path-prefix'],
    maxHeaderSize: settings['server-max-header-size'],
    headerTimeoutMs: settings['server-header-timeout'] * 1000,
    requestTimeoutMs: settings['server-request-timeout'] * 1000,
    keepAliveTimeoutMs: settings['server-keep-alive-timeout'] * 1000,
    clients,
    maxConnections: settings['server-max-connections'],
    maxConnectionsPerAddress: settings['server-max-connections-per-address'],
    renderError: (error) => renderError(error, serverHeader(), codePrefixOf(settings.compatibility)),
    observe,
  };
}
