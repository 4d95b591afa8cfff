/** Requests whose statement and plan the data API may show. */
import type { ApiRequest } from '../request.js';

export const isRead = ({ method, area }: ApiRequest): boolean => method === 'GET' && area !== true;

export const withHeaders = (request: ApiRequest, headers: Readonly<Record<string, string>>): ApiRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});
