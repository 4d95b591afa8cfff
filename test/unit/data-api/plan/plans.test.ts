import { expect } from 'chai';
import { createAliases } from '../../../../src/data-api/plan/plan-context.js';
import type { CallPlan, MutationPlan, ReadPlan } from '../../../../src/data-api/plan/plan.js';
import { planOf, type RequestParts } from '../../../support/data-api/planned.js';

function read(line: string, parts: RequestParts = {}): ReadPlan {
  const plan = planOf(line, parts);
  if (plan.kind !== 'read') throw new Error(`a plan of kind ${plan.kind}`);
  return plan;
}

function call(line: string, parts: RequestParts = {}): CallPlan {
  const plan = planOf(line, parts);
  if (plan.kind !== 'call') throw new Error(`a plan of kind ${plan.kind}`);
  return plan;
}

function mutation(line: string, parts: RequestParts = {}): MutationPlan {
  const plan = planOf(line, parts);
  if (plan.kind !== 'mutation') throw new Error(`a plan of kind ${plan.kind}`);
  return plan;
}

describe('aliases', () => {
  it('are unique, and differ from the names that statements use themselves', () => {
    const { claim } = createAliases();
    expect(['films', 'films', 'films', 'payload', 'answer'].map(claim)).to.deep.equal([
      'films',
      'films_1',
      'films_2',
      'payload_1',
      'answer_1',
    ]);
  });

  it('stay distinct if PostgreSQL would truncate them', () => {
    const { claim } = createAliases();
    const long = 'ü'.repeat(40);
    const [first = '', second = ''] = [claim(long), claim(`${long}x`)];
    expect(Buffer.byteLength(first)).to.be.at.most(63);
    expect(Buffer.byteLength(second)).to.be.at.most(63);
    expect(first).not.to.equal(second);
  });
});

describe('plans of reads', () => {
  it('use the first of several orders', () => {
    expect(read('GET /notes?order=a.desc&order=b').root.order.map(({ field }) => field.column)).to.deep.equal(
      ['a'],
    );
  });

  it('find embedded resources by name and by alias', () => {
    const { root } = read(
      'GET /films?select=good:roles(part),bad:roles(part)&good.part=eq.a&bad.part=eq.b&roles.part=eq.c',
    );
    expect(root.embeds.map(({ node }) => node.where.length)).to.deep.equal([2, 1]);
  });

  it('filter on a column although an embedded resource has its name', () => {
    const { root } = read('GET /films?select=director_id(name)&director_id=eq.1');
    expect(root.where[0]?.kind).to.equal('comparison');
    const related = read('GET /films?select=director_id(name)&director_id=is.null').root;
    expect(related.where[0]?.kind).to.equal('related');
  });

  it('count exactly if there is no threshold for an estimate', () => {
    const headers = { prefer: 'count=estimated' };
    expect(read('GET /films', { headers }).count).to.deep.equal({ mode: 'exact' });
    expect(read('GET /films', { headers, context: { maxRows: 5n } }).count).to.deep.equal({
      mode: 'estimated',
      threshold: 5n,
    });
  });

  it('mark to-one embeds that a constraint makes unique', () => {
    const { root } = read('GET /films?select=specs(aspect),headliner(name)');
    expect(root.embeds.map(({ unique }) => unique)).to.deep.equal([true, false]);
  });

  it('choose the form of the body by the best available media type', () => {
    const output = (accept: string) => read('GET /films', { headers: { accept } }).output;
    expect(output('text/html, text/csv;q=0.5, */*;q=0.1').contentType).to.equal('text/csv; charset=utf-8');
    expect(output('application/x-list').contentType).to.equal('application/x-list');
    expect(output('*/*').contentType).to.equal('application/json; charset=utf-8');
    expect(output('application/vnd.pgrst.object+json').singular).to.equal(true);
  });

  it('explain only if the setting allows it', () => {
    const { output } = read('GET /films', {
      headers: { accept: 'application/vnd.pgrst.plan+json; options=verbose' },
      context: { planEnabled: true },
    });
    expect(output.explain).to.deep.equal({ format: 'json', options: ['verbose'] });
    expect(output.contentType).to.equal(
      'application/vnd.pgrst.plan+json; for="application/json"; options=verbose; charset=utf-8',
    );
  });
});

describe('plans of calls', () => {
  it('write only by POST, and only if the function is volatile', () => {
    expect(call('GET /rpc/forget').access).to.equal('read');
    expect(call('POST /rpc/forget').access).to.equal('write');
    expect(call('POST /rpc/add', { body: '{"a":1}' }).access).to.equal('read');
  });

  it('have no body if the function returns nothing', () => {
    expect(call('POST /rpc/forget').output).to.include({ contentType: null });
  });

  it('pass all arguments as one object on request', () => {
    const headers = { prefer: 'params=single-object' };
    const given = (line: string, parts: RequestParts = {}) => {
      const plan = planOf(line, { ...parts, headers: { ...headers, ...parts.headers } });
      return plan.kind === 'call' ? plan.call.arguments : null;
    };
    const whole = { kind: 'whole', name: null, type: 'json' };
    expect(given('GET /rpc/take?x=1&y=2&x=3')).to.deep.equal({
      ...whole,
      operand: {
        kind: 'object',
        members: [
          { name: 'x', index: 0 },
          { name: 'y', index: 1 },
          { name: 'x', index: 2 },
        ],
      },
    });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(given('POST /rpc/take', { body: 'a=1', headers: form })).to.deep.equal({
      ...whole,
      operand: { kind: 'form object' },
    });
    expect(given('POST /rpc/take', { body: '{"a":1}' })).to.deep.equal({
      ...whole,
      operand: { kind: 'payload', encoding: 'verbatim' },
    });
  });

  it('prefer named arguments to the body as a whole', () => {
    expect(call('POST /rpc/take', { body: '{"a":1}' }).call.arguments.kind).to.equal('whole');
    expect(call('POST /rpc/add', { body: '{"a":1}' }).call.arguments.kind).to.equal('json');
  });

  it('call the function of the settings at the root', () => {
    const plan = call('GET /', { context: { root: { kind: 'function', name: 'page' } } });
    expect(plan.call.function.name).to.equal('page');
  });
});

describe('plans of writes', () => {
  it('contain the requested checks, in order', () => {
    const headers = {
      accept: 'application/vnd.pgrst.object+json',
      prefer: 'handling=strict, max-affected=3, return=representation',
    };
    const plan = mutation('PATCH /films?order=id&limit=2', { body: '{"year":1}', headers });
    expect(plan.checks).to.deep.equal([
      { kind: 'limit', maximum: 2n },
      { kind: 'singular' },
      { kind: 'max-affected', maximum: 3n },
    ]);
    expect(mutation('POST /films', { body: '{}', headers }).checks).to.deep.equal([{ kind: 'singular' }]);
  });

  it('return the columns that are read, and those that link embeds', () => {
    const headers = { prefer: 'return=representation' };
    const returning = (line: string) => mutation(line, { body: '{"year":1}', headers }).returning;
    expect(returning('PATCH /films?select=title,roles(part)')).to.deep.equal({
      all: false,
      names: ['title', 'id'],
      position: null,
    });
    expect(mutation('PATCH /people', { body: '{"name":1}', headers }).returning).to.deep.equal({
      all: true,
      names: [],
      position: null,
    });
    expect(mutation('PATCH /films', { body: '{"year":1}' }).returning).to.deep.equal({
      all: false,
      names: [],
      position: null,
    });
  });

  it('read nothing of the selection if no rows are returned', () => {
    const { root, returning } = mutation('POST /films?select=title,roles(part)', { body: '{}' });
    expect(root.select).to.deep.equal([]);
    expect(root.embeds).to.deep.equal([]);
    expect(returning).to.deep.equal({ all: false, names: [], position: null });
  });
});

describe('plans of OPTIONS', () => {
  const allowed = (line: string): readonly string[] => {
    const plan = planOf(line);
    return plan.kind === 'inspect' ? plan.allow : [];
  };

  it('list the methods of a resource', () => {
    expect(allowed('OPTIONS /films')).to.include.members(['POST', 'PUT', 'PATCH', 'DELETE']);
    expect(allowed('OPTIONS /notes')).not.to.include('PUT');
    expect(allowed('OPTIONS /rpc/forget')).to.deep.equal(['OPTIONS', 'POST']);
    expect(allowed('OPTIONS /rpc/add?a=1')).to.deep.equal(['OPTIONS', 'GET', 'HEAD', 'POST']);
    expect(allowed('OPTIONS /')).to.deep.equal(['OPTIONS', 'GET', 'HEAD']);
  });
});
