import { expect } from 'chai';
import { asObject, asString, type JsonObject } from '../../../codegen/json.js';
import { allMetrics } from '../../../codegen/metrics-page.js';
import { SETTINGS } from '../../../src/settings/table.js';
import {
  member,
  readDeployed,
  readYaml,
  SETTING_VARIABLES,
  strings,
} from '../../support/deploy/manifests.js';

const compose = readYaml('compose/compose.yaml');
const services = member(compose, 'services');
const service = (name: string): JsonObject => asObject(services[name], name);

describe('deploy/compose', () => {
  it('starts each service after those that it needs', () => {
    expect(Object.keys(services)).to.deep.equal([
      ...['postgres', 'nats', 'migrate', 'dbr', 'prometheus', 'grafana'],
    ]);
    expect(service('migrate')['depends_on']).to.deep.equal({ postgres: { condition: 'service_healthy' } });
    expect(service('dbr')['depends_on']).to.deep.equal({
      migrate: { condition: 'service_completed_successfully' },
      nats: { condition: 'service_started' },
    });
    expect(member(service('postgres'), 'healthcheck')).to.include.keys('test');
  });

  it('sets only known settings, and reads every secret from .env', () => {
    const variables = ['dbr', 'migrate'].flatMap((name) => Object.keys(member(service(name), 'environment')));
    expect(variables.filter((name) => !SETTING_VARIABLES.has(name))).to.deep.equal([]);
    const used = new Set(
      [...readDeployed('compose/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name),
    );
    const offered = [...readDeployed('compose/.env.example').matchAll(/^(\w+)=(.*)$/gm)];
    expect(new Set(offered.map(([, name]) => name))).to.deep.equal(used);
    expect(offered.map(([, , value]) => value).filter((value) => value !== '')).to.deep.equal([]);
  });

  it('runs dbr without privileges on a read-only file system, and publishes ports on loopback only', () => {
    for (const name of ['dbr', 'migrate'])
      expect(service(name), name).to.deep.include({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    const published = Object.values(services).flatMap((each) => {
      const { ports } = asObject(each, 'service');
      return ports === undefined ? [] : strings(ports, 'ports');
    });
    expect(published).to.include(`127.0.0.1:3000:${String(SETTINGS['server-port'].default)}`);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).to.deep.equal([]);
  });

  it('pins the version of every image and mounts files that exist', () => {
    for (const [name, each] of Object.entries(services)) {
      const { image, volumes } = asObject(each, name);
      expect(asString(image, name), name).to.match(/:v?\d+[\w.-]*$/);
      for (const volume of volumes === undefined ? [] : strings(volumes, name))
        if (volume.startsWith('./')) readDeployed(`compose/${volume.slice(2).split(':')[0] ?? ''}`);
    }
  });

  it('gives dbr more time to stop than the service takes', () => {
    const grace = Number(/^(\d+)s$/.exec(asString(service('dbr')['stop_grace_period'], 'grace'))?.[1]);
    expect(grace).to.be.greaterThan(
      SETTINGS['server-drain-time'].default + SETTINGS['server-shutdown-timeout'].default,
    );
  });

  it('has Prometheus read the admin port, and Grafana show metrics that exist', () => {
    expect(readDeployed('compose/prometheus.yml')).to.contain(
      `['dbr:${String(SETTINGS['admin-server-port'].default)}']`,
    );
    const dashboard = readYaml('compose/grafana/dashboard.json');
    const queried = [...JSON.stringify(dashboard).matchAll(/\bdbr_\w+/g)].map(([name]) => name);
    expect(queried).to.have.length.greaterThan(10);
    const known = new Set(
      allMetrics().flatMap(({ name, type }) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
      ),
    );
    expect(queried.filter((name) => !known.has(name))).to.deep.equal([]);
  });
});
