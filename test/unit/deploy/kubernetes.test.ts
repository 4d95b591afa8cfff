import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { asInteger, asList, asObject, asString, type JsonObject } from '../../../codegen/json.js';
import { packageRoot, version } from '../../../src/base/package.js';
import { SETTINGS } from '../../../src/settings/table.js';
import { member, readManifest, SETTING_VARIABLES, strings } from '../../support/deploy/manifests.js';

const FOLDER = join(packageRoot(), 'deploy', 'kubernetes');
const read = (name: string): JsonObject => readManifest(`kubernetes/${name}.yaml`);
const podOf = (workload: JsonObject): JsonObject => member(workload, 'spec', 'template', 'spec');
const containerOf = (workload: JsonObject): JsonObject =>
  asObject(asList(podOf(workload)['containers'], 'containers')[0], 'container');
const objects = (value: unknown): readonly JsonObject[] =>
  asList(value, 'list').map((each) => asObject(each, 'item'));

const deployment = read('deployment');
const job = read('migrate');
const settings = read('settings');

describe('deploy/kubernetes', () => {
  it('lists every manifest once', () => {
    const listed = strings(read('kustomization')['resources'], 'resources');
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
    expect([...listed, 'kustomization.yaml'].sort()).to.deep.equal(files.sort());
  });

  it('runs this version of the image, and a job that is named by it', () => {
    const [image] = objects(read('kustomization')['images']);
    expect(image).to.deep.equal({ name: 'dbr-server', newTag: version() });
    expect(member(job, 'metadata')['name']).to.equal(`dbr-migrate-${version().replaceAll('.', '-')}`);
    expect(containerOf(deployment)).to.deep.include({ image: 'dbr-server', args: ['serve'] });
    expect(containerOf(job)).to.deep.include({ image: 'dbr-server', args: ['migrate'] });
  });

  it('sets only known settings', () => {
    const named = [containerOf(deployment), containerOf(job)].flatMap((container) =>
      objects(container['env']).map(({ name }) => asString(name, 'name')),
    );
    const all = [...Object.keys(member(settings, 'data')), ...named];
    expect(all.filter((name) => !SETTING_VARIABLES.has(name))).to.deep.equal([]);
  });

  it("gives the service no address of the tables' owner", () => {
    const secretsOf = (workload: JsonObject) =>
      objects(podOf(workload)['volumes']).map((volume) => member(volume, 'secret')['secretName']);
    expect(secretsOf(deployment)).to.deep.equal(['dbr']);
    expect(secretsOf(job)).to.deep.equal(['dbr-migrate']);
  });

  it('probes the ports of the service, with a liveness probe that needs no database', () => {
    const container = containerOf(deployment);
    const ports = objects(container['ports']).map(({ name, containerPort }) => [name, containerPort]);
    expect(ports).to.deep.equal([
      ['http', SETTINGS['server-port'].default],
      ['admin', SETTINGS['admin-server-port'].default],
    ]);
    const probe = (name: string): JsonObject => member(container, name, 'httpGet');
    expect(probe('startupProbe')).to.deep.equal({ path: '/live', port: 'admin' });
    expect(probe('livenessProbe')).to.deep.equal({ path: '/live', port: 'admin' });
    expect(probe('readinessProbe')).to.deep.equal({ path: '/ready', port: 'admin' });
    expect(member(settings, 'data')['DBR_ADMIN_SERVER_HOST']).to.equal('0.0.0.0');
  });

  it('drains without a hook, and then waits long enough for requests in flight', () => {
    expect(containerOf(deployment)).to.not.have.property('lifecycle');
    const pause = Number(member(settings, 'data')['DBR_SERVER_DRAIN_TIME']);
    const grace = asInteger(podOf(deployment)['terminationGracePeriodSeconds'], 'grace');
    const stop = Number(member(settings, 'data')['DBR_SERVER_SHUTDOWN_TIMEOUT']);
    expect(pause).to.be.greaterThan(0);
    expect(grace).to.be.greaterThan(pause + stop);
  });

  it('meets the restricted standard of pods', () => {
    for (const workload of [deployment, job]) {
      expect(podOf(workload)).to.deep.include({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(containerOf(workload)['securityContext']).to.deep.equal({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('selects its pods by their label', () => {
    const label = { 'app.kubernetes.io/name': 'dbr' };
    expect(member(deployment, 'spec', 'template', 'metadata')['labels']).to.deep.equal(label);
    expect(member(deployment, 'spec', 'selector')['matchLabels']).to.deep.equal(label);
    expect(member(read('service'), 'spec')['selector']).to.deep.equal(label);
    expect(member(read('disruption-budget'), 'spec', 'selector')['matchLabels']).to.deep.equal(label);
    expect(member(read('network-policy'), 'spec', 'podSelector')['matchLabels']).to.deep.equal(label);
    expect(member(job, 'spec', 'template', 'metadata')['labels']).not.to.deep.equal(label);
  });

  it('is built by kustomize', function () {
    this.timeout(120_000);
    const { error, status, stdout, stderr } = spawnSync('kubectl', ['kustomize', FOLDER], {
      encoding: 'utf8',
    });
    if (error !== undefined) return this.skip();
    expect(stderr).to.equal('');
    expect(status).to.equal(0);
    expect([...stdout.matchAll(/image: (.*)/g)].map(([, image]) => image)).to.deep.equal([
      `dbr-server:${version()}`,
      `dbr-server:${version()}`,
    ]);
  });
});
