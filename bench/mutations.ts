/**
 * Mutations of the pure steps: how many faults the unit tests of a folder notice. Each mutation changes one operator,
 * condition, literal or statement of a file of src/ in a copy of the repository; then the unit tests of its folder run.
 *
 *   node --import tsx/esm bench/mutations.ts [--count 200] [--seed 1] [--folder data-api/grammar] [--list]
 *
 * A mutation that no test notices is printed with its line. The same seed makes the same mutations of the same sources.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { randomOf } from '../src/base/random.js';

const root = join(import.meta.dirname, '..');
const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});

/** Folders of which most files are functions of plain values. */
const FOLDERS = [
  ...[
    'batch',
    'ceilings',
    'document',
    'grammar',
    'graph',
    'plan',
    'prepare',
    'request',
    'respond',
    'schema-cache',
    'sql',
  ].map((folder) => `data-api/${folder}`),
  ...['auth', 'errors', 'http', 'mailbox', 'notifications', 'operations', 'postgres', 'settings', 'signing'],
];
/** What a copy needs so that its unit tests run. */
const COPIED = [
  'src',
  'test',
  'codegen',
  'generated',
  'openapi',
  'proto',
  'migrations',
  'docs',
  'deploy',
  'examples',
];
const LONGEST_RUN_MS = 120_000;

interface Mutation {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly was: string;
  readonly becomes: string;
}

const OPERATORS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
};

/** Returns what may replace a node; null for a node that stays. */
function replacementOf(node: ts.Node, source: ts.SourceFile): string | null {
  if (ts.isBinaryExpression(node)) {
    const operator = OPERATORS[node.operatorToken.getText(source)];
    const [left, right] = [node.left.getText(source), node.right.getText(source)];
    return operator === undefined || isText(node) ? null : `${left} ${operator} ${right}`;
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return ts.isLiteralTypeNode(node.parent) ? null : 'false';
  if (node.kind === ts.SyntaxKind.FalseKeyword) return ts.isLiteralTypeNode(node.parent) ? null : 'true';
  if (ts.isNumericLiteral(node) && !ts.isLiteralTypeNode(node.parent))
    return isBeyondTheEnd(node) ? null : `(${node.getText(source)} + 1)`;
  if (ts.isIfStatement(node)) {
    const condition = node.expression.getText(source);
    return node.getText(source).replace(condition, `!(${condition})`);
  }
  if (ts.isConditionalExpression(node))
    return `${node.condition.getText(source)} ? ${node.whenFalse.getText(source)} : ${node.whenTrue.getText(source)}`;
  if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) return ';';
  return null;
}

/** Whether a number is what `a[i] ?? 0` has beyond the end, which the compiler asks for and no caller reaches. */
const isBeyondTheEnd = ({ parent }: ts.Node): boolean =>
  ts.isBinaryExpression(parent) &&
  parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken &&
  ts.isElementAccessExpression(parent.left);

/** Whether `+` joins texts, which a minus would make a fault of types rather than one of thought. */
const isText = ({ left, right }: ts.BinaryExpression): boolean =>
  [left, right].some((side) => ts.isStringLiteral(side) || ts.isTemplateExpression(side));

/**
 * What a pure step does not have: it neither waits nor reads or writes. Files that do are tested with a database, a socket or
 * a server, by the tests of test/integration.
 */
const IMPURE =
  /\basync\b|\bawait\b|\bPromise\b|from '(?:node:(?:child_process|dns|fs|http|http2|net|tls|timers)|@grpc|@nats|koa|nats|pg)/;

/** Returns every mutation of a file; none of one that is no pure step. */
async function mutationsOf(file: string): Promise<readonly Mutation[]> {
  const text = await readFile(join(root, file), 'utf8');
  if (IMPURE.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutation[] = [];
  const visit = (node: ts.Node): void => {
    const becomes = replacementOf(node, source);
    if (becomes !== null) {
      const start = node.getStart(source);
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      found.push({ file, line, start, end: node.getEnd(), was: node.getText(source), becomes });
    }
    if (!ts.isTypeNode(node)) ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(root, 'src', folder), { recursive: true });
  return entries.filter((name) => name.endsWith('.ts')).map((name) => join('src', folder, name));
}

/** Folders of one pure function, a request to its statements: what one of them decides is seen in the SQL of another. */
const TOGETHER = ['plan', 'sql', 'graph'].map((folder) => `test/unit/data-api/${folder}`);

/** Returns the folder of unit tests that is nearest to a file, and those that test it together with this one. */
function testsOf(file: string): readonly string[] {
  let folder = dirname(file).replace(/^src/, 'test/unit');
  while (!existsSync(join(root, folder))) folder = dirname(folder);
  return TOGETHER.includes(folder) ? TOGETHER : [folder];
}

async function makeCopy(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'dbr-mutations-'));
  const files = [
    'package.json',
    '.mocharc.json',
    'tsconfig.json',
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'Makefile',
  ];
  for (const name of [...COPIED, ...files]) await cp(join(root, name), join(copy, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Returns the tests in folders that import a file: they notice most of its mutations in a fraction of the time of all. */
function nearestTestsOf(copy: string, file: string, folders: readonly string[]): readonly string[] {
  const name = `/${basename(file, '.ts')}.js'`;
  return folders.flatMap((folder) =>
    readdirSync(join(copy, folder), { recursive: true, encoding: 'utf8' })
      .map((entry) => join(folder, entry))
      .filter((test) => test.endsWith('.test.ts') && readFileSync(join(copy, test), 'utf8').includes(name)),
  );
}

/** Whether unit tests, files or folders of them, pass in the copy. A run that does not end fails. */
const passes = (copy: string, tests: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
    const args = [mocha, '--bail', '--exit', '--recursive', ...tests];
    execFile(process.execPath, args, { cwd: copy, timeout: LONGEST_RUN_MS }, (error) => {
      resolve(error === null);
    });
  });

/** Folders of unit tests that pass without a mutation: only these can notice one. */
const passing = new Set<string>();

/** @throws if the tests fail without the mutation */
async function isNoticed(copy: string, { file, start, end, becomes }: Mutation): Promise<boolean> {
  const tests = testsOf(file);
  const names = tests.join(', ');
  if (!passing.has(names) && !(await passes(copy, tests)))
    throw new Error(`${names} fails without a mutation`);
  passing.add(names);
  const text = await readFile(join(root, file), 'utf8');
  await writeFile(join(copy, file), text.slice(0, start) + becomes + text.slice(end));
  try {
    const nearest = nearestTestsOf(copy, file, tests);
    if (nearest.length > 0 && !(await passes(copy, nearest))) return true;
    return !(await passes(copy, tests));
  } finally {
    await writeFile(join(copy, file), text);
  }
}

const folders = options.folder === undefined ? FOLDERS : [options.folder];
const files = (await Promise.all(folders.map(filesOf))).flat();
const all = (await Promise.all(files.map(mutationsOf))).flat();
const random = randomOf(Number(options.seed));
const chosen = Array.from({ length: Number(options.count) }, () => all[random(all.length)]);
const copy = await makeCopy();
const counts = new Map<string, { noticed: number; made: number }>();
try {
  for (const mutation of chosen) {
    if (mutation === undefined) continue;
    const folder = relative('src', dirname(mutation.file));
    const count = counts.get(folder) ?? { noticed: 0, made: 0 };
    counts.set(folder, count);
    count.made += 1;
    if (await isNoticed(copy, mutation)) count.noticed += 1;
    else if (options.list || options.folder !== undefined)
      console.log(
        `${mutation.file}:${String(mutation.line)} ${firstLine(mutation.was)} → ${firstLine(mutation.becomes)}`,
      );
  }
} finally {
  await rm(copy, { recursive: true, force: true });
}
for (const [folder, { noticed, made }] of [...counts].sort())
  console.log(`${folder}: ${String(noticed)} of ${String(made)}`);
const [noticed, made] = [...counts.values()].reduce(
  (sum, one) => [sum[0] + one.noticed, sum[1] + one.made],
  [0, 0],
);
console.log(
  `${String(noticed)} of ${String(made)} mutations noticed (${((100 * noticed) / Math.max(1, made)).toFixed(0)} %)`,
);

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, 100);
}
