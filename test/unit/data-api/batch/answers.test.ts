import { expect } from 'chai';
import { runAtOnce } from '../../../../src/base/turns.js';
import type { Reply } from '../../../../src/contract/reply.js';
import {
  type ItemAnswer,
  answerIn,
  answerOf,
  batchReply,
  keptAnswers,
  textOfMark,
  valueOf,
} from '../../../../src/data-api/batch/answers.js';
import type { BatchItem } from '../../../../src/data-api/batch/batch-item.js';
import type { BodyForm, Output } from '../../../../src/data-api/plan/plan.js';

const outputOf = (form: BodyForm): Output => ({ form, contentType: null, singular: false, explain: null });
const ARRAY = outputOf({ kind: 'array', stripNulls: false });
const RAW = outputOf({ kind: 'raw', binary: false });

const replyOf = (status: number, type: string, body: string | Buffer | null): Reply => ({
  status,
  headers: [['Content-Type', type]],
  body: body === null ? null : [Buffer.from(body)],
});

const answer = (reply: Reply, output = ARRAY): ItemAnswer => runAtOnce(answerOf(reply, output));

const itemWith = (index: number, id: string | null): BatchItem => ({
  index,
  id,
  method: 'GET',
  path: '/f',
  query: '',
  marks: [],
  headers: {},
  body: { kind: 'complete', bytes: Buffer.alloc(0) },
});

const textOf = ({ body }: Reply): string => (Array.isArray(body) ? Buffer.concat(body).toString() : '');

describe('answers of a batch', () => {
  it('have no body with a status that has none', () => {
    for (const status of [204, 205, 304])
      expect(answer(replyOf(status, 'application/json', '[1]')).body, String(status)).to.equal(null);
    expect(answer(replyOf(200, 'application/json', '[1]')).body?.toString()).to.equal('[1]');
    expect(answer(replyOf(206, 'application/json', null)).body).to.equal(null);
    expect(answer(replyOf(200, 'application/json', '')).node).to.equal(null);
  });

  it('are JSON by their media type, and those that a function made if they can be read', () => {
    const isRead = (type: string, body: string | Buffer, output = ARRAY): boolean =>
      answer(replyOf(200, type, body), output).node !== null;
    expect(isRead('application/geo+json; charset=utf-8', '{}')).to.equal(true);
    expect(isRead('text/csv', '{}')).to.equal(false);
    expect(isRead('application/json', '{', RAW)).to.equal(false);
    expect(isRead('application/json', Buffer.from([0x22, 0xff, 0x22]), RAW)).to.equal(false);
    expect(isRead('application/json', '{}', RAW)).to.equal(true);
  });

  it('give values to later items', () => {
    const answers = [answer(replyOf(200, 'application/json', '[{"a":"x\\ny","n":1.50,"t":true,"z":null}]'))];
    const reference = (name: string) => ({ item: 0, pointer: ['0', name], spelled: `{a/0/${name}}` });
    const text = (name: string): string =>
      runAtOnce(textOfMark(answers, { text: 'm', reference: reference(name) }));
    expect(runAtOnce(valueOf(answers, reference('n'))).toString()).to.equal('1.50');
    expect([text('a'), text('n'), text('t')]).to.deep.equal(['x\ny', '1.50', 'true']);
    expect(() => text('z'))
      .to.throw()
      .with.property('details', 'In a path, the value is a string, a number or a boolean.');
    for (const missing of [reference('none'), { ...reference('a'), item: 1 }])
      expect(() => runAtOnce(valueOf(answers, missing)))
        .to.throw()
        .with.property('details', 'The answer is not JSON, or has no such value.');
  });

  it('give none if they are longer than a mebibyte', () => {
    const long = (length: number) => [
      answer(replyOf(200, 'application/json', `"${'a'.repeat(length - 2)}"`)),
    ];
    const reference = { item: 0, pointer: [], spelled: '{a}' };
    expect(runAtOnce(valueOf(long(1_048_576), reference))).to.have.length(1_048_576);
    expect(() => runAtOnce(valueOf(long(1_048_577), reference)))
      .to.throw()
      .with.property('details', 'The answer or the value is too long to be referred to.');
  });

  it('are one array, in which text is a string and other bytes are base64', () => {
    const twice: Reply = {
      status: 201,
      headers: [
        ['Set-Cookie', 'a'],
        ['set-cookie', 'b'],
        ['Location', '\u00c3\u00a9'],
      ],
      body: null,
    };
    const answers = [
      answer(replyOf(200, 'application/json', '{"n":1.0}')),
      answer(replyOf(200, 'text/csv; charset=utf-8', 'a\n"b"')),
      answer(replyOf(200, 'image/png', Buffer.from([0, 255])), RAW),
      answer(twice),
    ];
    const items = [itemWith(0, 'a'), ...[1, 2, 3].map((index) => itemWith(index, null))];
    const reply = batchReply(items, answers, 'application/json', ['retry=1', 'tx=commit']);
    expect(reply.status).to.equal(200);
    expect(reply.headers).to.deep.equal([
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Preference-Applied', 'retry=1, tx=commit'],
    ]);
    expect(textOf(reply)).to.equal(
      [
        '[{"id":"a","status":200,"headers":{"Content-Type":"application/json"},"body":{"n":1.0}},',
        ' {"status":200,"headers":{"Content-Type":"text/csv; charset=utf-8"},"body":"a\\n\\"b\\""},',
        ' {"status":200,"headers":{"Content-Type":"image/png"},"body":{"base64":"AP8="}},',
        ' {"status":201,"headers":{"Set-Cookie":["a","b"],"Location":"é"},"body":null}]',
      ].join('\n'),
    );
    expect(batchReply([], [], 'x', []).headers).to.deep.equal([['Content-Type', 'x; charset=utf-8']]);
  });

  it('are found in a reply that was kept', () => {
    const kept = keptAnswers(replyOf(200, 'application/json', '[{"body":{"id":5}},{"body":null}]'));
    const first = runAtOnce(answerIn(kept, 0));
    expect(runAtOnce(valueOf([first], { item: 0, pointer: ['id'], spelled: '' })).toString()).to.equal('5');
    expect(runAtOnce(answerIn(kept, 2)).node).to.equal(null);
  });
});
