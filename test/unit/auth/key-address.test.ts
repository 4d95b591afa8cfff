import { expect } from 'chai';
import { addressForLogs, isKeyAddress, isPlainHttp, textOf } from '../../../src/auth/key-address.js';

describe('an address of keys', () => {
  for (const [text, is] of [
    ['https://idp.example/keys?a=b', true],
    ['https://idp.example:8443', true],
    ['http://localhost:3000/', true],
    ['http://127.0.0.1', true],
    ['http://127.255.0.9/', true],
    ['http://[::1]/', true],
    ['http://idp.example/', false],
    ['http://localhost.example/', false],
    ['http://128.0.0.1/', false],
    ['https://user@idp.example/', false],
    ['https://:word@idp.example/', false],
    ['https://user:word@idp.example/', false],
    ['https://idp.example/#a', false],
    ['https://idp.example/#', false],
    ['ftp://idp.example/', false],
    ['idp.example', false],
    ['https://', false],
    ['', false],
  ] as const)
    it(`${is ? 'is' : 'is not'} ${JSON.stringify(text)}`, () => {
      expect(isKeyAddress(text)).to.equal(is);
    });

  it('is shown without its query', () => {
    const address = { kind: 'key-set', uri: 'http://localhost/keys?key=secret\n2' } as const;
    expect(textOf(address)).to.equal(address.uri);
    expect(addressForLogs(address)).to.equal('http://localhost/keys');
    expect(addressForLogs({ kind: 'issuer', issuer: 'https://a.example' })).to.equal('https://a.example');
    expect(['http://localhost/', 'https://a.example/'].map(isPlainHttp)).to.deep.equal([true, false]);
  });
});
