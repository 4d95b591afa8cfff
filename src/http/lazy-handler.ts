import type { RequestListener, ServerResponse } from 'node:http';

/**
 * Returns a handler that is loaded with the first request, because its modules take longer to import than the rest of the
 * start.
 * @param onFailed called for each request while the handler cannot be loaded; the next request tries again
 */
export function lazyHandler(
  load: () => Promise<RequestListener>,
  onFailed: (response: ServerResponse, error: unknown) => void,
): RequestListener {
  let handler: RequestListener | null = null;
  let loading: Promise<RequestListener> | null = null;

  async function loaded(): Promise<RequestListener> {
    try {
      handler = await load();
      return handler;
    } finally {
      loading = null;
    }
  }

  return (request, response) => {
    if (handler !== null) return handler(request, response);
    loading ??= loaded();
    loading.then(
      (listener) => listener(request, response),
      (error: unknown) => onFailed(response, error),
    );
  };
}
