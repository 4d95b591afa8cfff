/**
 * `dbr contract`: reads a published document, sends generated requests to its service, reports disagreements. Tokens
 * and given headers are variables of the shell in the report.
 */
import { DocumentError, readContract } from './document.js';
import { runContract, type RunOptions, type Disagreement, type RunResult } from './run.js';
import { quoteShell } from '../base/shell.js';
import { CHECKS, type Check } from './judge.js';

interface ContractRequest extends RunOptions {
  /** Of the document. */
  readonly url: string;
  readonly format: 'text' | 'json';
}

/** @returns the report, and exit code 1 if there is a disagreement @throws DocumentError */
export async function checkContract(
  request: ContractRequest,
): Promise<{ readonly text: string; readonly code: number }> {
  const contract = readContract(await fetchDocument(request), request.url);
  const result = await runContract(contract, request);
  const render = request.format === 'json' ? renderJson : renderText;
  return {
    text: render(result, { ...request, origin: contract.origin }),
    code: result.disagreements.length === 0 ? 0 : 1,
  };
}

async function fetchDocument({ url, token, headers }: ContractRequest): Promise<unknown> {
  const authorization = token === null ? {} : { Authorization: `Bearer ${token}` };
  try {
    const response = await fetch(url, {
      headers: { ...headers, ...authorization },
      signal: AbortSignal.timeout(15_000),
    });
    if (!response.ok) throw new DocumentError(`${url} gives ${String(response.status)}`);
    return await response.json();
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw new DocumentError(
      `${url} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

type Shown = Pick<RunOptions, 'token' | 'headers' | 'seed'> & { readonly origin: string };

/** The command that sends the request again. */
export function curlOf({ request }: Disagreement, { token, headers, origin }: Shown): string {
  const { method, target, body, credentials } = request;
  const authorization =
    credentials === 'wrong'
      ? [`'Authorization: Bearer wrong.token.here'`]
      : credentials === 'given' && token !== null
        ? ['"Authorization: Bearer $TOKEN"']
        : [];
  const given = Object.keys(headers).map(
    (name) => `"${name}: $${name.toUpperCase().replaceAll(/\W/g, '_')}"`,
  );
  const own = Object.entries(request.headers).map(([name, value]) => quoteShell(`${name}: ${value}`));
  return [
    method === 'HEAD' ? 'curl -I' : method === 'GET' ? 'curl' : `curl -X ${method}`,
    // Brackets and braces are patterns to curl.
    `-g ${quoteShell(origin + target)}`,
    ...[...authorization, ...given, ...own].map((header) => `-H ${header}`),
    ...(body === null ? [] : [bodyOption(body)]),
  ].join(' ');
}

/** A body that is not text in UTF-8 is written with escapes of the shell (`$'…'` of bash). */
function bodyOption(body: Buffer): string {
  const text = body.toString('utf8');
  if (Buffer.from(text).equals(body)) return `--data-binary ${quoteShell(text)}`;
  const escaped = [...body].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  return `--data-binary $'${escaped}'`;
}

function renderText(
  { requests, seconds, statuses, checks, unsuccessful, disagreements }: RunResult,
  shown: Shown,
): string {
  const lines = disagreements.flatMap((each) => [
    `${each.check}  ${each.operation}`,
    `         ${each.fault}`,
    ...(each.answer === '' ? [] : [`         ${each.answer.replaceAll(/\s+/g, ' ')}`]),
    `         ${curlOf(each, shown)}`,
    '',
  ]);
  const made = checkNames().map((name) => `${name} ${String(checks.get(name) ?? 0)}`);
  return [
    ...lines,
    `${plural(disagreements.length, 'disagreement')} in ${plural(requests, 'request')}, ${seconds.toFixed(1)} s, seed ${String(shown.seed)}`,
    `answers: ${Object.entries(statuses)
      .sort()
      .map(([name, count]) => `${name} ${String(count)}`)
      .join(', ')}`,
    `checks made: ${made.join(', ')}`,
    ...(unsuccessful.length === 0
      ? []
      : [`without a valid request that succeeded: ${unsuccessful.join(', ')}`]),
  ].join('\n');
}

const plural = (count: number, noun: string): string => `${String(count)} ${noun}${count === 1 ? '' : 's'}`;

const isCheck = (name: string): name is Check => Object.hasOwn(CHECKS, name);
const checkNames = (): readonly Check[] => Object.keys(CHECKS).filter(isCheck);

function renderJson({ disagreements, checks, ...result }: RunResult, shown: Shown): string {
  const report = {
    seed: shown.seed,
    ...result,
    checks: Object.fromEntries(checkNames().map((name) => [name, checks.get(name) ?? 0])),
    disagreements: disagreements.map((each) => ({
      ...{ check: each.check, meaning: CHECKS[each.check], operation: each.operation, fault: each.fault },
      ...{ status: each.status, answer: each.answer, curl: curlOf(each, shown) },
    })),
  };
  return JSON.stringify(report, null, 2);
}
