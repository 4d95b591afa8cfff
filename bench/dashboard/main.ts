/**
 * Pictures of the dashboard and of the alert rules under a mixed load: starts the built service with its sample database
 * and a Prometheus that scrapes it, sends the load, and draws the queries of `deploy/compose/grafana/dashboard.json`.
 *
 *   npx tsx bench/dashboard/main.ts --seconds 600 --rate 150 --out docs/observability
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { asList, asObject, asString, type JsonObject } from '../../codegen/json.js';
import { packageRoot } from '../../src/base/package.js';
import { serveDbr } from '../../test/support/service/built-service.js';
import { untilReady } from '../../test/support/service/service.js';
import { mixedLoad } from './load.js';
import { alertsPicture, dashboardPicture, type Line, type Panel } from './picture.js';
import { SCRAPE_SECONDS, startPrometheus, type Prometheus, type Series, type Span } from './prometheus.js';

const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    rate: { type: 'string', default: '150' },
    out: { type: 'string', default: 'docs/observability' },
  },
});
const SECONDS = Number(given.seconds);
const SECRET = 'a secret for the load, of at least thirty-two bytes';
const DEPLOY = join(packageRoot(), 'deploy');
const POINTS = 240;

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A collector that takes every span. */
async function startCollector(): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dbr-dashboard-'));
  const collector = await startCollector();
  const routerPort = await freePort();
  const service = await serveDbr({
    DBR_DATA_DIRECTORY: join(folder, 'database'),
    DBR_ROUTER_PORT: String(routerPort),
    DBR_ROUTER_DEV_TOKENS: 'true',
    JWT_SECRET: SECRET,
    DBR_TRACES_ENDPOINT: collector.url,
    DBR_TRACES_SAMPLE_RATIO: '0.1',
  });
  try {
    await untilReady(service);
    const target = new URL(service.adminUrl).host;
    const rules = join(DEPLOY, 'prometheus', 'alerts.yaml');
    const prometheus = await startPrometheus(join(folder, 'prometheus'), await freePort(), target, rules);
    try {
      await draw(prometheus, { url: service.url, routerPort, secret: SECRET });
    } finally {
      prometheus.stop();
    }
  } finally {
    await service.stop();
    collector.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function draw(prometheus: Prometheus, target: Parameters<typeof mixedLoad>[0]): Promise<void> {
  const from = Date.now() / 1000;
  const sent = await mixedLoad(target, SECONDS, Number(given.rate));
  const to = Date.now() / 1000;
  // The last values are those of the next scrape.
  await delay(2 * SCRAPE_SECONDS * 1000);
  const span: Span = { from, to, step: Math.max(SCRAPE_SECONDS, (to - from) / POINTS) };
  const text = `a mixed load of ${String(Math.round(sent / (to - from)))} requests a second for ${String(Math.round((to - from) / 60))} min`;
  const panels = await Promise.all(panelsOf().map((panel) => drawn(prometheus, panel, span)));
  const out = join(packageRoot(), given.out);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'dashboard.svg'), dashboardPicture(`dbr under ${text}`, panels, span));
  const [alertRules, states] = await Promise.all([prometheus.rules(), prometheus.range('ALERTS', span)]);
  writeFileSync(
    join(out, 'alerts.svg'),
    alertsPicture(`Alert rules under ${text}`, alertRules, states, span),
  );
  const empty = panels.filter(({ lines }) => lines.length === 0).map(({ title }) => title);
  process.stdout.write(`${String(sent)} requests; panels without data: ${empty.join(', ') || 'none'}\n`);
}

const panelsOf = (): readonly JsonObject[] => {
  const file = join(DEPLOY, 'compose', 'grafana', 'dashboard.json');
  const dashboard = asObject(JSON.parse(readFileSync(file, 'utf8')), file);
  return asList(dashboard['panels'], 'panels').map((panel) => asObject(panel, 'panel'));
};

async function drawn(prometheus: Prometheus, panel: JsonObject, span: Span): Promise<Panel> {
  const { x, y, w, h } = asObject(panel['gridPos'], 'gridPos');
  const defaults = asObject(asObject(panel['fieldConfig'], 'fieldConfig')['defaults'], 'defaults');
  const lines: Line[] = [];
  for (const each of asList(panel['targets'], 'targets')) {
    const { expr, legendFormat } = asObject(each, 'target');
    // Grafana takes at least four scrapes.
    const query = asString(expr, 'expr').replaceAll('$__rate_interval', `${String(10 * SCRAPE_SECONDS)}s`);
    for (const series of await prometheus.range(query, span))
      lines.push({ name: nameOf(asString(legendFormat, 'legendFormat'), series), points: series.points });
  }
  const largest = ({ points }: Line): number => Math.max(...points.map(([, value]) => value || 0));
  lines.sort((one, other) => largest(other) - largest(one));
  return {
    title: asString(panel['title'], 'title'),
    unit: asString(defaults['unit'], 'unit'),
    place: { x: Number(x), y: Number(y), w: Number(w), h: Number(h) },
    lines,
  };
}

const nameOf = (format: string, { labels }: Series): string =>
  format.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => labels[name] ?? '');

await main();
// Sockets of the load may still be open.
process.exit(0);
