import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asString, objectMember, asObject, type JsonValue } from '../../../codegen/json.js';
import { packageRoot, version } from '../../../src/base/package.js';

const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');

describe('CHANGELOG.md', () => {
  const sections = [...read('CHANGELOG.md').matchAll(/^## (.*)\n([^]*?)(?=^## |$(?![^]))/gm)];
  const section = sections.find(([, name]) => name === version())?.[2] ?? '';

  it('has a section for the version of the package, with each interface', () => {
    const headings = [...section.matchAll(/^### (\S+( API)?)/gm)].map(([, name]) => name);
    expect(headings).to.deep.equal([
      'Ended',
      'HTTP API',
      'Data API',
      'gRPC',
      'Settings',
      'Migrations',
      'Packages',
    ]);
  });

  it('names the published version of the API', () => {
    const document = asObject(JSON.parse(read('generated/openapi.json')) as JsonValue, 'openapi.json');
    const published = asString(objectMember(document, 'info', '')['version'], 'info.version');
    expect(section).to.contain(`### HTTP API (${published})`);
  });

  it('names the migrations of the version', () => {
    const numbers = readdirSync(join(packageRoot(), 'migrations'))
      .map((name) => name.slice(0, 4))
      .sort();
    expect(section).to.contain(`### Migrations (${String(numbers[0])} to ${String(numbers.at(-1))})`);
  });
});
