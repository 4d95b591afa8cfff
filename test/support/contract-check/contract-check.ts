/** Holds a service, which may be written to, to the document that it serves. */
import { readContract } from './document.js';
import type { ContractNotes } from './notes.js';
import { runContract, type RunOptions, type RunResult } from './run.js';

interface ContractRequest extends RunOptions {
  /** Of the document. */
  readonly url: string;
  readonly notes: ContractNotes;
}

/** @throws Error for a document that cannot be used */
export async function checkContract({ url, notes, ...options }: ContractRequest): Promise<RunResult> {
  const headers = options.token === null ? {} : { Authorization: `Bearer ${options.token}` };
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url} gives ${String(response.status)}`);
  return runContract(readContract(await response.json(), url, notes), options);
}
