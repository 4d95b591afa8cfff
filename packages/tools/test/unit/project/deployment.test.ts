import { expect } from 'chai';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { asList, asObject, asString, type JsonObject } from '../../../../../codegen/json.js';
import { version } from '../../../../../src/base/package.js';
import {
  member,
  readDeployed,
  SETTING_VARIABLES,
  strings,
} from '../../../../../test/support/deploy/manifests.js';
import type { Choices } from '../../../src/project/choices.js';
import { deploymentFiles, type Deployment } from '../../../src/project/deployment.js';
import { initProject } from '../../../src/project/init.js';

const DATABASE = 'postgresql://db.example:5433/shop?sslmode=verify-full';
const KINDS = ['compose', 'systemd', 'kubernetes'] as const;
const choicesOf = (deploy: Deployment): Choices => ({
  ...{ database: DATABASE, schema: 'api', existing: null, issuer: null, compose: false, deploy },
});
const textsOf = (deploy: Deployment, database = DATABASE): ReadonlyMap<string, string> =>
  new Map(deploymentFiles(deploy, database).map(({ path, text }) => [path, text]));
const list = (value: unknown): readonly JsonObject[] =>
  asList(value, 'list').map((each) => asObject(each, 'item'));

describe('the files of a deployment', function () {
  this.timeout(120_000);
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dbr-deploy-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are those of each kind, and the files of the package as they are', () => {
    const ofKubernetes = [
      ...[
        'deployment.yaml',
        'disruption-budget.yaml',
        'migrate.yaml',
        'namespace.yaml',
        'network-policy.yaml',
      ],
      ...['service.yaml', 'settings.yaml'],
    ];
    const ofSystemd = ['dbr-migrate.service', 'dbr.service'];
    const names = (kind: Deployment): readonly string[] =>
      [...textsOf(kind).keys()].map((path) => path.replace(`deploy/${kind}/`, '')).sort();
    expect(names('compose')).to.deep.equal(['README.md', 'compose.yaml', 'passwords.sql']);
    expect(names('systemd')).to.deep.equal(
      ['README.md', 'dbr-migrate.service.d/project.conf', ...ofSystemd].sort(),
    );
    expect(names('kubernetes')).to.deep.equal(['README.md', 'kustomization.yaml', ...ofKubernetes].sort());
    for (const name of ofKubernetes)
      expect(textsOf('kubernetes').get(`deploy/kubernetes/${name}`)).to.equal(
        readDeployed(`kubernetes/${name}`),
      );
    for (const name of ofSystemd)
      expect(textsOf('systemd').get(`deploy/systemd/${name}`)).to.equal(readDeployed(`systemd/${name}`));
  });

  for (const kind of KINDS)
    it(`have no secret of the project, no open value and no dead link: ${kind}`, async () => {
      const lines = await initProject(folder, choicesOf(kind));
      expect(lines.at(-1)).to.equal(`deploy/${kind}/README.md has the commands of the deployment.`);
      const passfile = await readFile(join(folder, '.pgpass'), 'utf8');
      const secrets = [
        ...passfile
          .trim()
          .split('\n')
          .map((line) => line.replace(/^.*:/, '')),
        (await readFile(join(folder, '.jwt-secret'), 'utf8')).trim(),
      ];
      expect(secrets).to.have.lengthOf(4);
      for (const path of textsOf(kind).keys()) {
        const text = await readFile(join(folder, path), 'utf8');
        expect(lines).to.include(`wrote ${path}`);
        for (const secret of secrets) expect(text).not.to.contain(secret);
        expect(text).not.to.match(/\{\{|\}\}(?!,|$| )/);
        expect(text).not.to.match(/\]\(/);
      }
      const readme = textsOf(kind).get(`deploy/${kind}/README.md`) ?? '';
      if (kind !== 'systemd') expect([...textsOf(kind).values()].join('\n')).to.contain(version());
      if (kind !== 'compose') expect(readme).to.contain('@db.example:5433/shop?sslmode=verify-full');
      // Paths of the project that the commands name.
      for (const [path] of readme.matchAll(/(?<=[ =])(?:deploy|db)\/[\w/-]*[\w](?= |$|\n)/g))
        expect(existsSync(join(folder, path)), path).to.equal(true);
    });

  it('take the passwords from .pgpass by their commands', async () => {
    await initProject(folder, choicesOf('compose'));
    const shell = (command: string): string =>
      execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
    const commands = (kind: Deployment): string => textsOf(kind).get(`deploy/${kind}/README.md`) ?? '';
    const [, once = ''] = /```sh\n([^]*?)```/.exec(commands('compose')) ?? [];
    shell(once);
    const variables = await readFile(join(folder, 'deploy/compose/.env'), 'utf8');
    const passwords = await readFile(join(folder, 'passwords.sql'), 'utf8');
    for (const role of ['dbr_owner', 'dbr_authenticator', 'dbr_service']) {
      const [, password = ''] = new RegExp(`${role} password '(.+)'`).exec(passwords) ?? [];
      expect(variables.split('\n')).to.include(`${role}=${password}`);
      for (const kind of ['systemd', 'kubernetes'] as const) {
        const [definition = ''] = /^password\(\).*$/m.exec(commands(kind)) ?? [];
        expect(shell(`${definition}\npassword ${role}`)).to.equal(`${password}\n`);
      }
    }
    expect(variables).to.match(/^POSTGRES_PASSWORD=.{48}\nJWT_SECRET=.{64}$/m);
  });

  it('mount the project in containers, and run both kinds of migrations before the service', async () => {
    await initProject(folder, choicesOf('compose'));
    const place = join(folder, 'deploy/compose/compose.yaml');
    const services = member(
      asObject(parse(await readFile(place, 'utf8'), { merge: true }), place),
      'services',
    );
    const roles = await readFile(join(folder, 'roles.sql'), 'utf8');
    expect(Object.keys(services)).to.deep.equal(['postgres', 'migrate', 'migrate-project', 'dbr']);
    for (const [name, service] of Object.entries(services).map(
      ([key, value]) => [key, asObject(value, key)] as const,
    )) {
      for (const mounted of strings(service['volumes'] ?? [], name).filter((each) => each.startsWith('.')))
        expect(existsSync(normalize(join(dirname(place), mounted.split(':')[0] ?? ''))), mounted).to.equal(
          true,
        );
      if (name === 'postgres') continue;
      expect(service).to.include({ image: `dbr-server:${version()}`, read_only: true });
      for (const [variable, value] of Object.entries(member(service, 'environment'))) {
        expect(SETTING_VARIABLES).to.include(variable);
        const [, role] = /^postgresql:\/\/(\w+):/.exec(asString(value, variable)) ?? [];
        if (role !== undefined) expect(roles).to.contain(`create role ${role} login`);
      }
    }
    const commandOf = (name: string): unknown => member(services, name)['command'];
    expect([commandOf('migrate'), commandOf('migrate-project'), commandOf('dbr')]).to.deep.equal([
      ['migrate'],
      ['migrate', '--folder', '/project/db/migrations'],
      ['serve', '--config', '/project/dbr.conf'],
    ]);
    const waits = (name: string): unknown => member(services, name)['depends_on'];
    expect(waits('dbr')).to.deep.equal({
      'migrate-project': { condition: 'service_completed_successfully' },
    });
    expect(waits('migrate-project')).to.deep.equal({
      migrate: { condition: 'service_completed_successfully' },
    });
    expect(JSON.stringify(member(services, 'dbr'))).not.to.contain('dbr_owner');
  });

  it('take any name of a database', () => {
    const name = `a: $"'#`;
    const database = "postgresql://h/a:%20$%22'%23";
    const text = textsOf('compose', database).get('deploy/compose/compose.yaml') ?? '';
    const services = member(asObject(parse(text, { merge: true }), 'compose'), 'services');
    expect(member(services, 'postgres', 'environment')['POSTGRES_DB']).to.equal(name.replace('$', '$$$$'));
    const uri = asString(member(services, 'migrate', 'environment')['DBR_MIGRATE_DB_URI'], 'uri');
    expect(decodeURIComponent(new URL(uri.replace('${dbr_owner}', 'x')).pathname)).to.equal(`/${name}`);
    const readme = textsOf('kubernetes', database).get('deploy/kubernetes/README.md') ?? '';
    expect(readme).to.contain('$(password dbr_owner)@h/a:%20%24%22%27%23"');
  });

  it('are units that systemd understands', async function () {
    if (spawnSync('systemd-analyze', ['--version']).error !== undefined) return this.skip();
    for (const [path, text] of textsOf('systemd')) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      // The program need not be installed here.
      await writeFile(join(folder, path), text.replaceAll('/usr/bin/dbr', '/bin/true'));
    }
    const place = join(folder, 'deploy/systemd');
    const { status, stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', join(place, 'dbr.service'), join(place, 'dbr-migrate.service')],
      { encoding: 'utf8' },
    );
    expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes(folder))).to.deep.equal([]);
    expect(status).to.equal(0);
    expect(textsOf('systemd').get('deploy/systemd/dbr-migrate.service.d/project.conf')).to.match(
      /\n\[Service\]\nExecStart=\/usr\/bin\/dbr migrate --folder \/etc\/dbr\/db\/migrations\n$/,
    );
    expect(readDeployed('systemd/dbr-migrate.service')).to.contain(
      '\nType=oneshot\nExecStart=/usr/bin/dbr migrate\n',
    );
  });

  it('are manifests that kustomize builds', async function () {
    for (const [path, text] of textsOf('kubernetes')) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const { error, status, stdout, stderr } = spawnSync(
      'kubectl',
      ['kustomize', join(folder, 'deploy/kubernetes')],
      { encoding: 'utf8' },
    );
    if (error !== undefined) return this.skip();
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    const objects = new Map(
      parseAllDocuments(stdout).map((document) => {
        const object = asObject(document.toJS(), 'object');
        return [asString(object['kind'], 'kind'), object];
      }),
    );
    const find = (kind: string): JsonObject => asObject(objects.get(kind), kind);
    expect(member(find('ConfigMap'), 'data')).not.to.have.any.keys('DBR_DB_SCHEMAS', 'DBR_DB_ANON_ROLE');
    const pod = member(find('Deployment'), 'spec', 'template', 'spec');
    const [served = {}] = list(pod['containers']);
    expect(served).to.deep.include({
      image: `dbr-server:${version()}`,
      args: ['serve', '--config', '/project/dbr.conf'],
    });
    expect(list(served['env'])).to.deep.equal([
      {
        name: 'JWT_SECRET',
        valueFrom: { secretKeyRef: { name: 'dbr', key: 'jwt-secret', optional: true } },
      },
    ]);
    const job = member(find('Job'), 'spec', 'template', 'spec');
    const [own = {}] = list(job['initContainers']);
    const [project = {}] = list(job['containers']);
    expect(own['args']).to.deep.equal(['migrate']);
    expect(project['args']).to.deep.equal(['migrate', '--folder', '/project/db/migrations']);
    // Nothing but name, arguments and the migrations differs.
    for (const key of ['image', 'env', 'resources', 'securityContext'])
      expect(own[key]).to.deep.equal(project[key]);
    for (const [spec, containers] of [
      [pod, [served]],
      [job, [own, project]],
    ] as const) {
      const volumes = list(spec['volumes']).map(({ name }) => name);
      for (const container of containers)
        expect(volumes).to.include.members(list(container['volumeMounts']).map(({ name }) => name));
    }
    const names = [pod, job].map((spec) =>
      list(spec['volumes']).flatMap(({ configMap }) =>
        configMap === undefined ? [] : [asObject(configMap, 'map')['name']],
      ),
    );
    expect(names).to.deep.equal([['dbr-conf'], ['dbr-migrations']]);
  });
});
