import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { asList, asObject, asString } from '../../../codegen/json.js';
import { createStreamCounts } from '../../../src/observability/stream-counts.js';
import { createMetrics } from '../../../src/observability/metrics.js';
import { allMetrics } from '../../../codegen/metrics-page.js';
import { packageRoot } from '../../../src/base/package.js';
import { member, readYaml } from '../../support/deploy/manifests.js';
import { CALL, REQUEST } from '../../support/observability/samples.js';

const RULES = 'prometheus/alerts.yaml';
const promtool = (args: readonly string[], input = '') =>
  spawnSync('promtool', args, { input, encoding: 'utf8' });
const hasPromtool = promtool(['--version']).error === undefined;
/** Follows the name of a test that is skipped. */
const skipNote = hasPromtool ? '' : ' (skipped: promtool is not installed; Debian: package prometheus)';

describe('the alert rules', () => {
  const [group] = asList(readYaml(RULES)['groups'], 'groups').map((each) => asObject(each, 'group'));
  const rules = asList(group?.['rules'], 'rules').map((each) => asObject(each, 'rule'));

  it('name metrics that exist', () => {
    const known = new Set(
      allMetrics().flatMap(({ name, type }) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
      ),
    );
    const named = rules.flatMap(({ expr }) => [...asString(expr, 'expr').matchAll(/\bdbr_\w+/g)]);
    expect(named).to.have.length.greaterThan(10);
    expect(named.map(([name]) => name).filter((name) => !known.has(name))).to.deep.equal([]);
  });

  it('say what has happened and what to do', () => {
    for (const rule of rules) {
      const { summary, action } = member(rule, 'annotations');
      expect([typeof summary, typeof action], asString(rule['alert'], 'alert')).to.deep.equal([
        'string',
        'string',
      ]);
    }
  });

  it(`are accepted by promtool${skipNote}`, function () {
    if (!hasPromtool) return this.skip();
    const { status, stdout, stderr } = promtool(['check', 'rules', join(packageRoot(), 'deploy', RULES)]);
    expect([status, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.contain(`${String(rules.length)} rules found`);
  });
});

describe('the text of the metrics', () => {
  it(`is accepted by promtool${skipNote}`, async function () {
    if (!hasPromtool) return this.skip();
    const metrics = createMetrics('1.2.3');
    metrics.observePool('data', () => ({ max: 10, size: 2, available: 1, waiting: 4, timeouts: 3 }));
    metrics.observePlanCache(() => ({ hits: 1, misses: 2, bytes: 3 }));
    metrics.observeStreams(createStreamCounts(), {
      waiting: 1,
      waitEnds: { started: 1, refused: 2, 'client gone': 3 },
    });
    metrics.observeSpans(() => ({ exported: 1, dropped: 2, rejected: 3, queuedBytes: 4 }));
    for (const observation of [REQUEST, { ...REQUEST, status: 404, code: 'a "code"\n' }, CALL])
      metrics.count(observation);
    const { stdout, stderr } = promtool(['check', 'metrics'], await metrics.render());
    // What prom-client names, promtool complains of: these names are those of the runtime.
    const complaints = `${stdout}${stderr}`
      .split('\n')
      .filter((line) => line !== '' && !/^nodejs_/.test(line));
    expect(complaints).to.deep.equal([]);
  });
});
