/** What a check finds, with the request that shows it. */
import { quoteShell } from '../base/shell.js';
import type { Finding } from '../lint/rule.js';
import type { Caller, Probe, ShownRequest } from './probe.js';
import { CHECK_RULES, type CheckRuleName } from './rules.js';

/** A finding of `dbr check`. */
export interface CheckFinding extends Finding {
  readonly rule: CheckRuleName;
  /** The first caller for whom it was found: name, role and claims. */
  readonly caller: string;
  /** The request that shows it, for a shell in which TOKEN is the token of the caller. */
  readonly curl: string;
}

/** @param base address of the data API. A request for an anonymous caller has no token. */
export function curlOf(base: string, { claims }: Caller, request: ShownRequest): string {
  const { method, path, schema, headers = [], body } = request;
  const profile = `${method === 'GET' ? 'Accept' : 'Content'}-Profile: ${schema}`;
  return [
    method === 'GET' ? 'curl' : `curl -X ${method}`,
    quoteShell(`${base}/${path}`),
    ...(claims === null ? [] : ['-H', '"Authorization: Bearer $TOKEN"']),
    ...[profile, ...headers].flatMap((header) => ['-H', quoteShell(header)]),
    ...(body === undefined
      ? []
      : ['-H', quoteShell('Content-Type: application/json'), '-d', quoteShell(body)]),
  ].join(' ');
}

/** @param detail a sentence about this finding; empty for none */
export const findingOf = (base: string, caller: Caller, probe: Probe, detail: string): CheckFinding => ({
  rule: probe.rule,
  level: CHECK_RULES[probe.rule].level,
  object: probe.object,
  message: `${CHECK_RULES[probe.rule].meaning} ${detail}`.trimEnd(),
  cure: CHECK_RULES[probe.rule].cure,
  caller: `${caller.name}: role ${caller.role}, ${caller.claims === null ? 'no token' : `claims ${caller.claims}`}`,
  curl: curlOf(base, caller, probe.request),
});
