/**
 * Which part of the service owns a path. Areas A and B own paths of two and more segments below `/api/v1/` and
 * `/accounts/`; everything else belongs to the data API, so that nothing shadows a table.
 */
export function isServicePath(path: string): boolean {
  return path.startsWith('/api/v1/') || (path.startsWith('/accounts/') && path.length > '/accounts/'.length);
}
