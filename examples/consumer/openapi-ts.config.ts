// The client is made from the document that the running service publishes: nothing is copied by hand.
import { defineConfig } from '@hey-api/openapi-ts';

const service = process.env['SERVICE_URL'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  input: `${service}/api/v1/openapi.json`,
  output: { path: 'client', module: { extension: '.js' }, tsConfigPath: null },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { file: false },
});
