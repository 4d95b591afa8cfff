#!/usr/bin/env node
/** The command line: `dbr serve`, `dbr migrate`, `dbr token`, … */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DEVELOPMENT_JWT_SECRET } from './auth/keys.js';
import { CommandLineError, readArguments, type Help } from './command-line/arguments.js';
import type { Command, CommandOf } from './command-line/commands.js';
import { cureOf } from './command-line/cure.js';
import { mintToken, type TokenRequest } from './auth/mint-token.js';
import { InputError } from './command-line/input-error.js';
import { readinessUrl } from './command-line/readiness-url.js';
import {
  createReport,
  print,
  printContent,
  printFailure,
  type Report,
  writeUsage,
} from './command-line/report.js';
import { followStopSignals } from './command-line/stop-signals.js';
import { CONFIG_FILE } from './command-line/tool-options.js';
import { isText, openLog, type ReloadableLog } from './observability/log.js';
import { packageRoot, version } from './base/package.js';
import { boundHeap } from './base/heap-size.js';
import {
  developer,
  eraseByCommand,
  migrateDatabase,
  SAMPLE_ROLE,
  startPrimary,
  startService,
  startWorker,
  StartStopped,
  type Service,
  type ServiceOptions,
} from './service.js';
import { dumpSettings, exampleSettings, settingsPage } from './settings/dump.js';
import { loadSettings, SettingsError, type Sources } from './settings/load.js';
import type { Settings } from './settings/settings.js';
import { openWorkerChannel, type WorkerChannel } from './workers/worker-channel.js';

/** Imported by the commands that need them: a service does without them. */
const importTools = () => import('../packages/tools/src/tools.js');
type Tools = Awaited<ReturnType<typeof importTools>>;
type Project = Awaited<ReturnType<Tools['openProject']>>;
type StartFinding = Awaited<ReturnType<Tools['startFindings']>>[number];

/** Until the service says that it serves, though its database has not answered, in milliseconds. */
const ANSWER_MS = 5000;

async function run(command: Command | Help): Promise<number> {
  switch (command.name) {
    case 'serve':
      boundHeap();
      return serve(command);
    case 'init':
      return init(command);
    case 'dev':
      return dev(command);
    case 'migrate': {
      const { config, folder, dryRun } = command;
      const lines =
        folder === null
          ? (await migrateDatabase(settingsOf(config))).map((name) => `applied ${name}`)
          : await (await importTools()).migrateFolder(settingsOf(config), { folder, dryRun });
      print(lines.length === 0 ? 'nothing to apply' : lines.join('\n'));
      return 0;
    }
    case 'test': {
      const { testPolicies } = await importTools();
      const { text, code } = await testPolicies(sourcesOf(command.config), command);
      print(text);
      return code;
    }
    case 'erase':
      print(JSON.stringify(await eraseByCommand(settingsOf(command.config), command), null, 2));
      return 0;
    case 'key': {
      const { runKeyCommand } = await importTools();
      print(await runKeyCommand(sourcesOf(command.config), command.request, command.format));
      return 0;
    }
    case 'token':
      print(await mintToken(settingsOf(command.config), await tokenRequest(command)));
      return 0;
    case 'settings':
      print(
        command.show === 'example'
          ? exampleSettings()
          : command.show === 'page'
            ? settingsPage()
            : dumpSettings(settingsOf(command.config)),
      );
      return 0;
    case 'openapi':
      printContent(readFileSync(join(packageRoot(), 'generated', 'openapi.json'), 'utf8'));
      return 0;
    case 'describe':
      return describe(command);
    case 'doctor': {
      const { examine, renderChecks } = await importTools();
      const checks = await examine(sourcesOf(command.config), readinessUrl);
      print(command.format === 'json' ? JSON.stringify({ checks }, null, 2) : renderChecks(checks));
      return checks.some(({ outcome }) => outcome === 'fault') ? 1 : 0;
    }
    case 'lint': {
      const { lintSettings, renderRules } = await importTools();
      if (command.listRules) {
        print(renderRules());
        return 0;
      }
      const { text, code } = await lintSettings(sourcesOf(command.config), command);
      print(text);
      return code;
    }
    case 'check':
      return check(command);
    case 'audit': {
      const { verifyAudit } = await importTools();
      const { lines, intact } = await verifyAudit(command.files);
      print(lines.join('\n'));
      return intact ? 0 : 1;
    }
    case 'ready':
      return ready(command.config);
    case 'version':
      print(version());
      return 0;
    case 'help':
      print(command.text);
      return 0;
  }
}

/** Returns exit code 1 for findings, and 2 where the check cannot run. */
async function check(command: CommandOf<'check'>): Promise<number> {
  try {
    const { checkPolicies } = await importTools();
    const { text, code } = await checkPolicies(sourcesOf(command.config), command);
    print(text);
    return code;
  } catch (error) {
    printFailure(messageOf(error).trimEnd(), cureOf(error));
    return 2;
  }
}

/** Prints the description, writes it to the file, or compares it with the file. Returns exit code 1 if they differ. */
async function describe({ config, request, output, check }: CommandOf<'describe'>): Promise<number> {
  const { describeDatabase } = await importTools();
  const text = await describeDatabase(sourcesOf(config), request);
  if (output === null) {
    printContent(text);
    return 0;
  }
  const written = existsSync(output) ? readFileSync(output, 'utf8') : null;
  if (written === text) return 0;
  if (!check) {
    writeFileSync(output, text);
    return 0;
  }
  print(`${output} ${written === null ? 'does not exist' : 'differs from the database'}`);
  return 1;
}

const sourcesOf = (config: string | undefined): Sources => ({
  file: config ?? (existsSync(CONFIG_FILE) ? CONFIG_FILE : undefined),
  environment: process.env,
});

/** What the token of the command says: what is given, and for the rest the user of development. */
async function tokenRequest({ config, token }: CommandOf<'token'>): Promise<TokenRequest> {
  if (token.kind === 'user') return token;
  const whole = developer(token.role ?? (await (await importTools()).userRoleOf(sourcesOf(config))));
  return { ...whole, scope: token.scope ?? whole.scope, expiresIn: token.expiresIn };
}

const settingsOf = (config: string | undefined) => loadSettings(sourcesOf(config));

async function init({ folder, given, yes }: CommandOf<'init'>): Promise<number> {
  const { askInTerminal, chooseProject, initProject } = await importTools();
  const choices = yes
    ? await chooseProject(given, null)
    : await askInTerminal((ask) => chooseProject(given, ask));
  const signals = followStopSignals();
  print((await initProject(folder, choices, () => signals.isStopWanted())).join('\n'));
  return 0;
}

/** Serves the project of the current folder, and follows its files. */
async function dev({ config, folder, port }: CommandOf<'dev'>): Promise<number> {
  if (process.env['NODE_ENV'] === 'production')
    throw new Error('dbr dev is for development, and NODE_ENV is production: use dbr serve');
  const { createDevelopmentLines, developmentDefaults, openProject } = await importTools();
  // One process is enough, and others would not follow the files.
  const given = withVariables(sourcesOf(config), { ...portVariable(port), DBR_SERVER_WORKERS: '1' });
  const sources = { ...given, defaults: developmentDefaults(loadSettings(given)) };
  const settings = loadSettings(sources);
  const { report, log } = openOutput(settings);
  // The project and the service open the same database.
  const said = new Set<string>();
  const announce = (line: string): void => {
    if (!said.has(line)) report.announce(line);
    said.add(line);
  };
  announce(sources.file === undefined ? 'settings read' : `settings read from ${sources.file}`);
  const project = await openProject(settings, folder, announce);
  try {
    for (const file of await project.migrate()) announce(`applied ${file}`);
    const role = await project.userRole();
    const shows = createDevelopmentLines(
      (line) => report.announce(line),
      (line) => report.fail(line),
    );
    return await runService(
      { sources, settings, log, announce, isDevelopment: true, shows },
      { report, role },
      (service) => followProject(project, { service, settings, role, folder, config: sources.file, report }),
    );
  } catch (error) {
    report.fail(messageOf(error), cureOf(error));
    return 1;
  } finally {
    await project.stop();
  }
}

interface Followed {
  readonly service: Service;
  readonly settings: Settings;
  /** Of users; null if requests can only be anonymous. */
  readonly role: string | null;
  readonly folder: string;
  readonly config: string | undefined;
  readonly report: Report;
}

/** Announces where the project is served, and follows its files. Returns a function that ends it. */
async function followProject(
  project: Project,
  { service, settings, role, folder, config, report }: Followed,
): Promise<() => void> {
  report.announce(`reference  ${service.url}/api/v1/docs`);
  if (settings['jwt-issuers'].length > 0 || settings['jwks-uri'] !== null)
    report.announce('tokens     come from the issuers of the settings');
  else if (settings['jwt-secret'] === null)
    report.announce('tokens     are refused by the data API: jwt-secret is no key');
  else if (settings['jwt-secret'] !== (settings['service-jwt-secret'] ?? DEVELOPMENT_JWT_SECRET))
    report.announce('tokens     are signed with the key of jwt-secret');
  else if (role !== null) {
    const request = developer(role);
    const token = await mintToken(settings, request);
    report.announce(`token      of user ${request.user} with role ${role}, for a day: ${token}`);
  }
  const { watchFiles } = await importTools();
  const isMigration = (name: string): boolean => /\.sql$/i.test(name);
  const isConfig = (name: string): boolean => config !== undefined && name === basename(config);
  const contentOf = (): string =>
    config !== undefined && existsSync(config) ? readFileSync(config, 'utf8') : '';
  let content = contentOf();
  return watchFiles(
    [
      { folder, concerns: isMigration },
      ...(config === undefined ? [] : [{ folder: dirname(config), concerns: isConfig }]),
    ],
    async () => {
      try {
        for (const file of await project.migrate()) report.announce(`applied ${file}`);
        const before = content;
        content = contentOf();
        if (content !== before) report.announce(`settings read from ${config ?? ''}`);
        service.reloadSettings();
      } catch (error) {
        report.fail(messageOf(error), cureOf(error));
      }
    },
    (error) => report.fail(`changes of files are not followed: ${messageOf(error)}`),
  );
}

const portVariable = (port: string | undefined): Sources['environment'] =>
  port === undefined ? {} : { DBR_SERVER_PORT: port };

const withVariables = (sources: Sources, variables: Sources['environment']): Sources => ({
  ...sources,
  environment: { ...sources.environment, ...variables },
});

/** Serves until SIGTERM or SIGINT. */
async function serve({ config, port }: CommandOf<'serve'>): Promise<number> {
  const sources = withVariables(sourcesOf(config), portVariable(port));
  const channel = openWorkerChannel();
  if (channel !== null) return serveAsWorker(sources, channel);
  let settings: Settings;
  try {
    settings = loadSettings(sources);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    createReport(error.logFormat).fail(error.message);
    return 2;
  }
  const { report, log } = openOutput(settings);
  try {
    const role = settings['sample-database'] ? SAMPLE_ROLE : null;
    const announce = (line: string): void => report.announce(line);
    return await runService({ sources, settings, log, announce }, { report, role });
  } catch (error) {
    report.fail(messageOf(error), cureOf(error));
    return 1;
  }
}

interface Output {
  readonly report: Report;
  readonly log: ReloadableLog;
}

function openOutput(settings: Settings): Output {
  const report = createReport(settings['log-format']);
  reportFaults(report);
  return { report, log: openLog({ level: settings['log-level'], format: settings['log-format'] }) };
}

const NOTHING_TO_FOLLOW = (): Promise<() => void> => Promise.resolve(() => undefined);

interface Shown {
  readonly report: Report;
  /** Of the user of development; null if requests can only be anonymous. */
  readonly role: string | null;
}

/**
 * @param follow called when the service serves; what it returns is called when the service stops
 * @returns the exit code
 * @throws why the service cannot start
 */
async function runService(
  options: ServiceOptions,
  { report, role }: Shown,
  follow: (service: Service) => Promise<() => void> = NOTHING_TO_FOLLOW,
): Promise<number> {
  const signals = followStopSignals();
  const count = workerCount(options.settings);
  let findings: Promise<readonly StartFinding[]> = Promise.resolve([]);
  const examine: ServiceOptions['examine'] = (addresses, settings) => {
    findings = importTools().then(({ startFindings }) => startFindings(addresses, settings));
    findings.catch(() => undefined);
  };
  const service = await startWith({ ...options, examine }, count, signals.stopWanted);
  if (service === null) return 0;
  // A server that does not answer is named when the attempt to connect has ended.
  const ended = Promise.race([service.failed, signals.stopWanted, delay(ANSWER_MS, null, { ref: false })]);
  const known = await Promise.race([findings.catch(() => []), ended.then(() => null)]);
  const refused = await Promise.race([service.failed, delay(0, null)]);
  if (refused !== null) {
    report.fail(refused.message, cureOf(refused));
    await service.stop();
    return 1;
  }
  const show = (found: readonly StartFinding[]): void => {
    for (const { subject, message, remedy } of found) report.warn(subject, message, remedy);
  };
  if (known === null)
    void findings.then(show, (error: unknown) => report.fail(messageOf(error), cureOf(error)));
  else show(known);
  if (count > 1) options.announce(`${String(count)} workers share the ports`);
  const hasAnswered = known?.every(({ message }) => !message.startsWith('no connection')) === true;
  options.announce(`${servesLine(service)}${hasAnswered ? '' : ' (its database has not answered yet)'}`);
  const console = await consoleLine(options, service, role);
  if (console !== null) options.announce(console);
  if (service.routerPort !== null)
    options.announce(`the router of signing parties serves on port ${String(service.routerPort)}`);
  followSignals(service);
  const unfollow = await follow(service);
  // Without requests so far, nothing needs the time to drain.
  const drainSeconds = signals.isStopWanted() ? 0 : options.settings['server-drain-time'];
  const stopWanted = signals.stopWanted.then(() => {
    if (drainSeconds === 0) return null;
    options.announce(`draining: the service stops in ${String(drainSeconds)} s, or at the next signal`);
    service.drain();
    return signals.drain(drainSeconds);
  });
  const failure = await Promise.race([stopWanted, service.failed]);
  if (failure !== null) report.fail(failure.message, cureOf(failure));
  unfollow();
  await service.stop();
  return failure === null ? 0 : 1;
}

/** Where the console is; null without an admin port. A terminal also gets a token for development. A log gets none. */
async function consoleLine(
  { settings, isDevelopment = false }: ServiceOptions,
  { adminUrl }: Service,
  role: string | null,
): Promise<string | null> {
  if (adminUrl === null) return null;
  const withToken = isText(settings['log-format'])
    ? await (
        await import('../packages/console/server/console.js')
      ).consoleAddress(settings, isDevelopment, adminUrl, role)
    : null;
  return `the console is at ${withToken ?? `${adminUrl}/console/`}`;
}

/** Returns null if the start was stopped. @throws why the service cannot start */
async function startWith(
  options: ServiceOptions,
  count: number,
  stopWanted: Promise<null>,
): Promise<Service | null> {
  try {
    return count === 1 ? await startService(options) : await startPrimary(options, count, stopWanted);
  } catch (error) {
    if (error instanceof StartStopped) return null;
    throw error;
  }
}

const servesLine = ({ url, adminUrl }: Service): string =>
  `dbr ${version()} serves on ${url}${adminUrl === null ? '' : `, admin on ${adminUrl}`}`;

function workerCount({ 'server-workers': workers }: Settings): number {
  return workers === 'auto' ? availableParallelism() : workers;
}

/** Serves as one of several workers, until the primary or a signal stops it. Returns the exit code. */
async function serveAsWorker(sources: Sources, channel: WorkerChannel): Promise<number> {
  try {
    const signals = followStopSignals();
    const role = await Promise.race([channel.role, signals.stopWanted, channel.stopWanted]);
    if (role === null) return 0;
    const { report, log } = openOutput(role.settings);
    // All workers announce the same lines: those of one are written.
    const isAnnouncer = role.place.index === 0 && !role.isReplacement;
    const announce = (line: string): void => {
      if (isAnnouncer) report.announce(line);
    };
    const service = await startWorker({ sources, log, announce }, role);
    followSignals(service);
    channel.serving(service);
    // A signal to the whole process group reaches workers, too: they serve while the primary drains.
    const drained = signals.stopWanted.then(() => {
      service.retireConnections();
      return signals.drain(role.settings['server-drain-time']);
    });
    const failure = await Promise.race([drained, channel.stopWanted, service.failed]);
    if (failure !== null) await channel.failed(failure.message);
    await service.stop();
    await channel.stopped(service);
    return failure === null ? 0 : 1;
  } catch (error) {
    await channel.failed(messageOf(error));
    return 1;
  }
}

function followSignals(service: Pick<Service, 'reloadSchema' | 'reloadSettings'>): void {
  process.on('SIGUSR1', () => service.reloadSchema());
  process.on('SIGUSR2', () => service.reloadSettings());
  // The end of a terminal ends the processes that were started there.
  if (!process.stdout.isTTY) process.on('SIGHUP', () => service.reloadSettings());
}

/** Writes uncaught errors and warnings of Node.js to the log, in its format. */
function reportFaults(report: Report): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => report.fail(`${name}: ${message}`));
  process.on('uncaughtException', (error) => {
    report.fail(error.stack ?? error.message);
    process.exit(1);
  });
}

/** Returns exit code 0 if the admin port of a running service reports ready, else 1. */
async function ready(config: string | undefined): Promise<number> {
  const url = readinessUrl(settingsOf(config));
  if (url === null) {
    print('admin-server-port is not set');
    return 1;
  }
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
    print(await response.text());
    return response.ok ? 0 : 1;
  } catch {
    print(`the service cannot be reached at ${url}`);
    return 1;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Errors of arguments, settings and files that are read before anything is done. */
const WRONG_INPUT = [InputError, SettingsError];

async function main(): Promise<number> {
  try {
    return await run(readArguments(process.argv.slice(2)));
  } catch (error) {
    if (error instanceof CommandLineError) writeUsage(error.usage);
    printFailure(messageOf(error).trimEnd(), cureOf(error));
    return WRONG_INPUT.some((kind) => error instanceof kind) ? 2 : 1;
  }
}

// Exits explicitly: handles that a failed start has left open would keep the process alive.
process.exit(await main());
