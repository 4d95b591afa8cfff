import { expect } from 'chai';
import { generateKeyPairSync, sign } from 'node:crypto';
import {
  faultOfShapes,
  MAX_SHAPE_FILE,
  privateShapeKey,
  publicShapeKey,
  shapesOf,
  signShapes,
  wholeLines,
} from '../../../../src/data-api/ceilings/shape-list.js';

const ONE = generateKeyPairSync('ed25519');
const OTHER = generateKeyPairSync('ed25519');
const pem = (key: (typeof ONE)['publicKey'], type: 'spki' | 'pkcs8'): string =>
  key.export({ format: 'pem', type }).toString();

const FILMS = 'anon GET api /films';
const PEOPLE = 'anon GET api /people';

describe('a list of allowed shapes', () => {
  it('has one shape a line, and comments', () => {
    expect(shapesOf(`# a comment\n${FILMS}\n\n  \n#${PEOPLE}\n${PEOPLE}`)).to.deep.equal([FILMS, PEOPLE]);
    expect(MAX_SHAPE_FILE).to.equal(16 * 1024 * 1024);
  });

  it('is cut to the lines that have an end', () => {
    expect(wholeLines(`${FILMS}\n${PEOPLE}`)).to.equal(`${FILMS}\n`);
    expect(wholeLines(`${FILMS}\n`)).to.equal(`${FILMS}\n`);
    expect(wholeLines(FILMS)).to.equal('');
  });

  it('is signed with each line once, under its first line', () => {
    const signed = signShapes(`${FILMS}\n# why\n\n${PEOPLE}\n${FILMS}\n`, ONE.privateKey);
    const lines = `# dbr shapes 1\n${FILMS}\n# why\n${PEOPLE}\n`;
    const signature = sign(null, Buffer.from(lines), ONE.privateKey).toString('base64');
    expect(signed).to.equal(`${lines}# signature ed25519 ${signature}\n`);
    expect(faultOfShapes(signed, ONE.publicKey)).to.equal(null);
  });

  it('is signed again in place of an earlier signature', () => {
    const signed = signShapes(`${FILMS}\n`, OTHER.privateKey);
    expect(signShapes(signed, ONE.privateKey)).to.equal(signShapes(`${FILMS}\n`, ONE.privateKey));
  });

  it('is not signed if its last line may be half a shape', () => {
    expect(() => signShapes(`${FILMS}\n${PEOPLE}`, ONE.privateKey)).to.throw('the last line has no end');
    expect(() => signShapes(FILMS, ONE.privateKey)).to.throw('the last line has no end');
    const comment = signShapes(`${FILMS}\n# half a comment`, ONE.privateKey);
    expect(faultOfShapes(comment, ONE.publicKey)).to.equal(null);
  });

  it('is refused with another key, or with other lines', () => {
    const signed = signShapes(`${FILMS}\n`, ONE.privateKey);
    const wrong = 'the signature is not that of the key and of these lines';
    expect(faultOfShapes(signed, OTHER.publicKey)).to.equal(wrong);
    expect(faultOfShapes(signed.replace('films', 'people'), ONE.publicKey)).to.equal(wrong);
    expect(faultOfShapes(signed.replace('shapes 1\n', `shapes 1\n${PEOPLE}\n`), ONE.publicKey)).to.equal(
      wrong,
    );
  });

  it('is refused without its first line, and unless the signature is the last line', () => {
    const signed = signShapes(`${FILMS}\n`, ONE.privateKey);
    const none = 'the last line is no signature';
    expect(faultOfShapes(signed.slice('# dbr shapes 1\n'.length), ONE.publicKey)).to.equal(
      'the first line is not # dbr shapes 1',
    );
    expect(faultOfShapes(`${signed}${PEOPLE}\n`, ONE.publicKey)).to.equal(none);
    expect(faultOfShapes(`# dbr shapes 1\n${FILMS}\n`, ONE.publicKey)).to.equal(none);
    expect(faultOfShapes(signed.trimEnd(), ONE.publicKey)).to.equal(null);
  });
});

describe('a key of allowed shapes', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

  it('is one of Ed25519 in PEM, public for verifying and private for signing', () => {
    expect(publicShapeKey(pem(ONE.publicKey, 'spki')).equals(ONE.publicKey)).to.equal(true);
    expect(privateShapeKey(pem(ONE.privateKey, 'pkcs8')).equals(ONE.privateKey)).to.equal(true);
  });

  it('is refused otherwise', () => {
    for (const text of ['', 'x', pem(ONE.privateKey, 'pkcs8'), pem(rsa.publicKey, 'spki')])
      expect(() => publicShapeKey(text)).to.throw('the key is no public key of Ed25519 in PEM');
    for (const text of ['', 'x', pem(ONE.publicKey, 'spki'), pem(rsa.privateKey, 'pkcs8')])
      expect(() => privateShapeKey(text)).to.throw('the key is no private key of Ed25519 in PEM');
  });
});
