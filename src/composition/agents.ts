/** Agents (`mcp-enabled`): the data API with their path, and the tools of the other areas. */
import type { RequestHandler } from '../contract/request.js';
import { changeTools } from '../mcp/change.js';
import { withAgents } from '../mcp/endpoint.js';
import { type Inbox, inboxTools } from '../mcp/notices.js';
import { serveAgents } from '../mcp/protocol.js';
import type { FixedSettings } from '../settings/settings.js';
import type { DataApiPart } from './data-api-part.js';

/** @param inbox null if areas A and B do not run */
export const agentsBeside = (
  { api, agentKey }: DataApiPart,
  settings: FixedSettings,
  inbox: Inbox | null,
): RequestHandler =>
  withAgents(api, async () => {
    const library = await import('@modelcontextprotocol/server');
    return serveAgents(library, {
      api: { ...api.agents, handle: (request) => api.handle(request) },
      origins: settings['server-cors-allowed-origins'] ?? [],
      tools: [...changeTools(agentKey, settings['mcp-apply']), ...(inbox === null ? [] : inboxTools(inbox))],
    });
  });
