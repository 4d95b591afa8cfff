/** The data API with `/mcp` beside its paths. What serves agents is loaded with their first request. */
import type { Reply } from '../contract/reply.js';
import type { Request, RequestHandler, RequestHead } from '../contract/request.js';

/** Below the prefix of the data API. */
export const AGENTS_PATH = '/mcp';

/** Longest message of an agent, in bytes: it is parsed at once. */
const LONGEST_MESSAGE = 1_048_576;

const tooLong = (): Reply =>
  protocolError(413, -32_600, `A message has ${String(LONGEST_MESSAGE)} bytes at most`);

/** An error of JSON-RPC that answers no particular message. */
export function protocolError(status: number, code: number, message: string): Reply {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
  return {
    status,
    headers: [['Content-Type', 'application/json; charset=utf-8']],
    body: [Buffer.from(body)],
  };
}

type Serve = (request: Request) => Promise<Reply>;

/** @param load imports what answers the messages */
export function withAgents(api: RequestHandler, load: () => Promise<Serve>): RequestHandler {
  let loading: Promise<Serve> | null = null;
  async function serve(request: Request): Promise<Reply> {
    if (request.body.length > LONGEST_MESSAGE) return tooLong();
    loading ??= load();
    const loaded = await loading.catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loaded(request);
  }
  const isOfAgents = ({ path }: RequestHead): boolean => path === AGENTS_PATH;
  return {
    admit(head) {
      if (!isOfAgents(head)) return api.admit(head);
      const isLong = Number(head.headers.contentLength ?? 0) > LONGEST_MESSAGE;
      return Promise.resolve(isLong ? { kind: 'refuse', reply: tooLong() } : { kind: 'receive' });
    },
    upload: (head) => (isOfAgents(head) ? null : api.upload(head)),
    handle: (request) => (isOfAgents(request) ? serve(request) : api.handle(request)),
  };
}
