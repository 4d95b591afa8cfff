import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

export default defineConfig({
  root: process.env.OUT,
  input: { path: process.env.DESCRIPTION },
  output: { path: './kubb', clean: true },
  plugins: [
    pluginOas({ generators: [] }),
    pluginTs({ output: { path: 'models' } }),
    pluginClient({ output: { path: 'clients' }, client: 'fetch' }),
  ],
});
