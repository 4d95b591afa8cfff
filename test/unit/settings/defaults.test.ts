import { expect } from 'chai';
import type { Setting } from '../../../src/settings/setting.js';
import { SETTINGS } from '../../../src/settings/table.js';

const KNOWN: Readonly<Record<string, Setting<unknown>>> = SETTINGS;

const DAY = 86_400;
const YEAR = 365 * DAY;
const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const TIB = 1024 * GIB;

/** Least value, default and greatest value, as operators rely on them. Unset: null. */
const NUMBERS: Readonly<Record<string, readonly [least: number, usual: number | null, most: number]>> = {
  'server-workers': [1, 1, 256],
  'server-worker-timeout': [0, 30, 3600],
  'server-port': [0, 3000, 65_535],
  'server-max-body-size': [1024, 100 * MIB, GIB],
  'server-max-header-size': [8192, 65_536, MIB],
  'server-max-body-memory': [MIB, 256 * MIB, TIB],
  'server-min-upload-rate': [0, 1024, 1_000_000_000],
  'server-header-timeout': [1, 30, 3600],
  'server-request-timeout': [1, 300, 3600],
  'server-keep-alive-timeout': [1, 65, 3600],
  'server-max-connections': [1, 10_000, 1_000_000],
  'server-max-connections-per-address': [0, 1000, 1_000_000],
  'server-shutdown-timeout': [1, 30, 3600],
  'server-drain-time': [0, 0, 3600],
  'admin-server-port': [0, 3001, 65_535],
  'admin-server-max-connections': [1, 100, 1_000_000],
  'router-port': [0, 3002, 65_535],
  'router-call-limit': [0, 1000, 1_000_000],
  'router-max-connections': [1, 4096, 1_000_000],
  'router-max-connections-per-address': [1, 256, 1_000_000],
  'bus-max-bytes': [16 * MIB, GIB, Number.MAX_SAFE_INTEGER],
  'bus-replicas': [0, 0, 5],
  'db-replica-max-lag': [100, 1000, 3_600_000],
  'db-replica-wait': [0, 1000, 60_000],
  'db-live-pause': [0, 50, 60_000],
  'db-live-interval': [1, 5, 3600],
  'db-live-max-bytes': [1024, MIB, 64 * MIB],
  'db-live-max-streams': [1, 50, 100_000],
  'mcp-max-rows': [1, 100, 10_000],
  'service-db-pool': [2, 10, 10_000],
  'notifications-db-pool': [1, 5, 10_000],
  'db-pool': [1, 10, 10_000],
  'db-pool-acquisition-timeout': [1, 10, DAY],
  'db-pool-max-lifetime': [1, 1800, 30 * DAY],
  'db-pool-max-idletime': [1, 30, 30 * DAY],
  'db-max-rows': [0, null, 1_000_000_000],
  'db-max-result-bytes': [65_536, 128 * MIB, GIB],
  'db-max-cost': [1, null, 1_000_000_000_000],
  'db-stream-timeout': [1, 300, DAY],
  'db-stream-minimum-rate': [0, 128 * 1024, 1_000_000_000],
  'db-max-streams': [1, 8, 10_000],
  'db-max-streams-per-client': [1, 4, 10_000],
  'db-max-depth': [1, 64, 1000],
  'db-max-embeds': [0, 50, 10_000],
  'db-max-conditions': [1, 1000, 100_000],
  'db-max-fields': [1, 1664, 100_000],
  'db-max-keys': [1, 10_000, 1_000_000],
  'db-max-batch': [0, 100, 10_000],
  'db-max-batch-bytes': [65_536, 64 * MIB, GIB],
  'db-idempotency-time': [1, DAY, 30 * DAY],
  'db-idempotency-bytes': [MIB, 256 * MIB, TIB],
  'db-standby-reload-interval': [1, 60, DAY],
  'jwks-refresh-interval': [60, 600, DAY],
  'jwks-refetch-interval': [1, 5, 3600],
  'jwks-max-stale': [0, DAY, YEAR],
  'jwks-fetch-timeout': [1, 5, 60],
  'api-keys-refresh': [1, 5, 60],
  'jwt-cache-max-lifetime': [0, 0, YEAR],
  'notifications-list-limit': [0, 20, 1_000_000],
  'notifications-count-limit': [0, 20, 1_000_000],
  'notifications-mark-all-limit': [0, 5, 1_000_000],
  'notifications-change-limit': [0, 600, 1_000_000],
  'notifications-ticket-limit': [0, 30, 1_000_000],
  'signing-config-limit': [0, 30, 1_000_000],
  'signing-session-limit': [0, 10, 1_000_000],
  'signing-ready-time': [1, 60, 3600],
  'signing-recent-auth': [0, 0, YEAR],
  'party-key-delay': [0, 86_400, YEAR],
  'signing-retention': [0, 90, 36_500],
  'notifications-new-user-days': [0, 7, 36_500],
  'notifications-retention': [1, 90, 36_500],
  'webhooks-attempts': [1, 10, 20],
  'webhooks-timeout': [1, 10, 60],
  'webhooks-retention': [1, 7, 90],
  'log-slow-statements': [0, null, 1000 * DAY],
};

const FLAGS: Readonly<Record<string, boolean>> = {
  'server-timing-enabled': false,
  'router-dev-tokens': false,
  'sample-database': true,
  'db-pool-automatic-recovery': true,
  'db-prepared-statements': true,
  'db-estimates-under-policies': true,
  'db-idempotency': false,
  'db-live': false,
  'mcp-enabled': false,
  'mcp-apply': true,
  'url-use-legacy-target-names': true,
  'db-etag': true,
  'db-plan-enabled': false,
  'db-explain-enabled': false,
  'db-aggregates-enabled': false,
  'db-channel-enabled': true,
  'db-config': true,
  'openapi-security-active': false,
  'jwt-secret-is-base64': false,
  'api-keys': false,
  'require-jwt-exp': false,
  'traces-follow-parent': true,
};

const accepts = ({ kind }: Setting<unknown>, value: number): boolean => kind.parse(String(value)).ok;

describe('the default of a setting', () => {
  it('is pinned for every number and every flag', () => {
    const named = (kinds: readonly string[]): readonly string[] =>
      Object.entries(KNOWN).flatMap(([name, { kind }]) => (kinds.includes(kind.name) ? [name] : []));
    expect(Object.keys(NUMBERS)).to.have.members(named(['integer', 'integer | auto']));
    expect(Object.keys(FLAGS)).to.have.members(named(['boolean']));
  });

  for (const [name, [least, usual, most]] of Object.entries(NUMBERS))
    it(`is ${String(usual)}, of ${String(least)} to ${String(most)}, for ${name}`, () => {
      const setting = KNOWN[name];
      if (setting === undefined) throw new Error('no such setting');
      expect(setting.default).to.equal(usual);
      const bounds = [least - 1, least, most, most + 1].map((value) => accepts(setting, value));
      expect(bounds).to.deep.equal([false, true, true, false]);
    });

  for (const [name, usual] of Object.entries(FLAGS))
    it(`is ${String(usual)} for ${name}`, () => {
      expect(KNOWN[name]?.default).to.equal(usual);
    });

  it('is 660 for the mode of the Unix socket, of 600 to 777', () => {
    const { kind, default: mode } = SETTINGS['server-unix-socket-mode'];
    expect(mode).to.equal(0o660);
    const accepted = ['577', '600', '777', '1000', '668', '0660'].map((text) => kind.parse(text).ok);
    expect(accepted).to.deep.equal([false, true, true, false, false, true]);
  });

  it('is one for the ratio of traces', () => {
    expect(SETTINGS['traces-sample-ratio'].default).to.equal(1);
  });
});

describe('a setting', () => {
  const namesOf = (is: (setting: Setting<unknown>) => boolean): readonly string[] =>
    Object.keys(KNOWN).filter((name) => {
      const setting = KNOWN[name];
      return setting !== undefined && is(setting);
    });

  it('is secret if it holds a key, a password or an address with one', () => {
    expect(namesOf(({ secret }) => secret === true)).to.have.members([
      ...['bus-uri', 'db-uri', 'db-replica-uri', 'db-live-uri', 'service-db-uri', 'migrate-db-uri'],
      ...[
        'db-cursor-secret',
        'jwt-secret',
        'service-jwt-secret',
        'webhooks-key',
        'traces-headers',
        'audit-head-url',
        'audit-head-key',
      ],
    ]);
  });

  it('is read from a file that its value names if it holds a key or a list of keys', () => {
    expect(namesOf(({ fromFile }) => fromFile === true)).to.have.members([
      ...['bus-uri', 'db-uri', 'db-replica-uri', 'db-live-uri', 'service-db-uri', 'migrate-db-uri'],
      ...['db-cursor-secret', 'jwt-secret', 'jwt-issuers', 'service-jwt-secret'],
      ...['webhooks-key', 'traces-headers', 'audit-head-url', 'audit-head-key'],
    ]);
    expect(namesOf(({ binaryKey }) => binaryKey === true)).to.deep.equal(['jwt-secret']);
  });

  it('is reloaded from the file alone where the database must not set it', () => {
    expect(
      namesOf(({ reloadable, inDatabase }) => reloadable === true && inDatabase !== true),
    ).to.have.members([
      ...['app.settings', 'db-shapes-file', 'db-channel-enabled', 'db-config'],
      ...['jwks-tls-ca', 'log-level', 'log-format', 'log-slow-statements'],
      ...['traces-sample-ratio', 'traces-follow-parent'],
    ]);
  });
});
