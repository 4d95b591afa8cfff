/** Settings of the log and of traces. */
import { boolean, headerPairs, oneOf, optionalInteger, optionalUrl, ratio, text } from './kinds.js';
import { live, setting } from './setting.js';

export const OBSERVABILITY_SETTINGS = {
  'log-level': setting(
    oneOf('crit', 'error', 'warn', 'info', 'debug'),
    'error',
    'Least level that is logged. Requests are logged from status 500 at `error`, from 400 at `warn`, all at `info` and `debug`.',
    { reloadable: true },
  ),
  'log-format': setting(
    oneOf('auto', 'json', 'pretty'),
    'auto',
    'JSON lines or readable text; `auto` is text on a terminal, else JSON.',
    { reloadable: true },
  ),
  'log-slow-statements': setting(
    optionalInteger(0, 86_400_000),
    null,
    'Log statements of the data API that PostgreSQL executes for at least this time, in milliseconds, at `warn`, with a generic plan and without the values of parameters; at most one a second. Unset: none.',
    { reloadable: true },
  ),
  'traces-endpoint': setting(
    optionalUrl,
    null,
    'Address of an OpenTelemetry collector that takes spans by OTLP over HTTP, such as `http://collector:4318/v1/traces`; an address without a path gets `/v1/traces`. Unset: no traces.',
    { environment: ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] },
  ),
  'traces-headers': setting(
    headerPairs,
    [],
    'Headers of each export, as `name=value` separated by commas, with values percent-encoded: the authentication at the collector.',
    { secret: true, fromFile: true, environment: ['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] },
  ),
  'traces-service-name': setting(text, 'dbr', 'Attribute `service.name` of the spans.', {
    environment: ['OTEL_SERVICE_NAME'],
  }),
  'traces-sample-ratio': setting(
    ratio,
    1,
    'Share of the requests without `traceparent` whose spans are exported, from 0 to 1.',
    { reloadable: true },
  ),
  'traces-follow-parent': setting(
    boolean,
    true,
    'Whether a client that sends `traceparent` decides about its spans. `false`: `traces-sample-ratio` decides, by the trace id; set it where clients are not trusted.',
    { reloadable: true },
  ),
  'traces-database': setting(
    oneOf('off', 'comment', 'application_name'),
    'off',
    'How the trace of a sampled request of the data API reaches the log of PostgreSQL: `application_name` sets it for the transaction, `comment` puts it before the statement, which is then not prepared.',
    live,
  ),
} as const;
