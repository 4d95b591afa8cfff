import { expect } from 'chai';
import { createReloads } from '../../../src/workers/worker-channel.js';

describe('reloads of a worker', () => {
  const recorded = () => {
    const done: string[] = [];
    const service = {
      reloadSchema: () => void done.push('schema'),
      reloadSettings: () => void done.push('settings'),
    };
    return { done, service };
  };

  it('are made up for when the service runs, if they were requested while it started', () => {
    for (const [requested, expected] of [
      [['schema', 'schema'], ['schema']],
      [['settings', 'schema'], ['settings']],
      [['schema', 'settings'], ['settings']],
      [[], []],
    ] as const) {
      const { done, service } = recorded();
      const reloads = createReloads();
      for (const what of requested) reloads.request(what);
      expect(done).to.deep.equal([]);
      reloads.follow(service);
      expect(done).to.deep.equal(expected);
    }
  });

  it('are made at once while the service runs', () => {
    const { done, service } = recorded();
    const reloads = createReloads();
    reloads.follow(service);
    reloads.request('schema');
    reloads.request('settings');
    expect(done).to.deep.equal(['schema', 'settings']);
  });
});
