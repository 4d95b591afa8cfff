/** `dbr contract`: reads a published document, sends generated requests to its service, reports disagreements. */
import { DocumentError, readContract } from './document.js';
import { renderJson, renderText } from './report.js';
import { runContract, type RunOptions } from './run.js';

export interface ContractRequest extends RunOptions {
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
