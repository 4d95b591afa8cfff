import { expect } from 'chai';
import { readinessUrl } from '../../../src/command-line/readiness-url.js';

describe('readinessUrl', () => {
  for (const [host, reached] of [
    ['127.0.0.1', '127.0.0.1'],
    ['10.1.2.3', '10.1.2.3'],
    ['localhost', 'localhost'],
    ['::1', '[::1]'],
    ['0.0.0.0', '127.0.0.1'],
    ['!4', '127.0.0.1'],
    ['::', '[::1]'],
    ['!6', '[::1]'],
    ['*', '[::1]'],
  ] as const)
    it(`reaches an admin port at ${host}`, () => {
      expect(readinessUrl({ 'admin-server-host': host, 'admin-server-port': 3001 })).to.equal(
        `http://${reached}:3001/ready`,
      );
    });
});
