/** A Prometheus of Debian (package `prometheus`) that scrapes one service, and its answers. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { asList, asObject, asString } from '../../codegen/json.js';

/** Values of one combination of labels, by the second. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly points: readonly (readonly [second: number, value: number])[];
}

export interface Span {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

export interface RuleState {
  readonly name: string;
  readonly severity: string;
  /** inactive, pending or firing. */
  readonly state: string;
}

export interface Prometheus {
  range(query: string, span: Span): Promise<readonly Series[]>;
  rules(): Promise<readonly RuleState[]>;
  stop(): void;
}

export const SCRAPE_SECONDS = 2;

/** @param port of Prometheus @param target address that is scraped @param rules file of alert rules */
export async function startPrometheus(
  folder: string,
  port: number,
  target: string,
  rules: string,
): Promise<Prometheus> {
  mkdirSync(folder, { recursive: true });
  const interval = `${String(SCRAPE_SECONDS)}s`;
  const config = {
    global: { scrape_interval: interval, evaluation_interval: interval },
    rule_files: [rules],
    scrape_configs: [{ job_name: 'dbr', static_configs: [{ targets: [target] }] }],
  };
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const url = `http://127.0.0.1:${String(port)}`;
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${String(port)}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`prometheus ended with ${String(code)}`)));
  });
  failed.catch(() => undefined);
  await Promise.race([untilReady(url), failed]);
  return {
    range: (query, span) => readRange(url, query, span),
    rules: () => readRules(url),
    stop: () => void child.kill(),
  };
}

async function untilReady(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/-/ready`).catch(() => null);
    if (response?.ok === true) return;
    await delay(200);
  }
}

async function ask(url: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${url}/api/v1/${path}`);
  const body = asObject(await response.json(), path);
  if (body['status'] !== 'success') throw new Error(`${path}: ${JSON.stringify(body)}`);
  return asObject(body['data'], 'data');
}

async function readRange(url: string, query: string, { from, to, step }: Span): Promise<readonly Series[]> {
  const parameters = new URLSearchParams({
    query,
    start: String(from),
    end: String(to),
    step: String(step),
  });
  const { result } = await ask(url, `query_range?${parameters.toString()}`);
  return asList(result, 'result').map((each) => {
    const { metric, values } = asObject(each, 'series');
    const labels = Object.entries(asObject(metric, 'metric')).map(
      ([name, value]) => [name, asString(value, name)] as const,
    );
    const points = asList(values, 'values').map((pair) => {
      const [second, value] = asList(pair, 'value');
      return [Number(second), Number(value)] as const;
    });
    return { labels: Object.fromEntries(labels), points };
  });
}

async function readRules(url: string): Promise<readonly RuleState[]> {
  const { groups } = await ask(url, 'rules?type=alert');
  return asList(groups, 'groups').flatMap((group) =>
    asList(asObject(group, 'group')['rules'], 'rules').map((each) => {
      const { name, state, labels } = asObject(each, 'rule');
      const severity = asString(asObject(labels, 'labels')['severity'], 'severity');
      return { name: asString(name, 'name'), state: asString(state, 'state'), severity };
    }),
  );
}
