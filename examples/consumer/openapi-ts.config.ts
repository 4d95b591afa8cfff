// The client of the service comes as a package; that of the database is made from what the running service publishes.
import { defineConfig } from '@hey-api/openapi-ts';

const service = process.env['SERVICE_URL'] ?? 'http://127.0.0.1:3000';

const output = (path: string) => ({ path, module: { extension: '.js' }, tsConfigPath: null }) as const;
const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'] as const;

export default defineConfig([
  // The tables, views and functions of the database, with typed rows, filters and arguments.
  {
    input: { path: `${service}/`, fetch: { headers: { Accept: 'application/vnd.oai.openapi+json' } } },
    output: output('client/world'),
    plugins: [...plugins],
    logs: { file: false },
  },
]);
