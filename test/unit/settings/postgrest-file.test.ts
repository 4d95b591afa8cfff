import { expect } from 'chai';
import { parsePostgrestFile } from '../../../src/settings/postgrest-file.js';

/** Name and value of each entry; problems with their lines. */
function parse(content: string, files: Readonly<Record<string, string>> = {}) {
  const { entries, problems } = parsePostgrestFile('/etc/postgrest.conf', content, {
    environment: { HOME: '/home/rosa', SECRET: 'p$w' },
    read(path) {
      const text = files[path];
      if (text === undefined) throw new Error('no such file');
      return text;
    },
  });
  return {
    values: Object.fromEntries(entries.map(({ name, value }) => [name, value])),
    problems: problems.map(({ line, problem }) => `${line}: ${problem}`),
  };
}

describe('the configuration file of PostgREST', () => {
  it('has texts, numbers, booleans and lists, over several lines', () => {
    const { values, problems } = parse(`
# the festival
db-uri = "postgres://authenticator:mysecret@localhost:5432/app" # here
db-schemas =
  "api, public"
server-port = 3000
db-max-rows=1e3
db-plan-enabled = true
log-query = off
list = [
  "a", # one
  2
]
empty = []
`);
    expect(problems).to.deep.equal([]);
    expect(values).to.deep.equal({
      'db-uri': 'postgres://authenticator:mysecret@localhost:5432/app',
      'db-schemas': 'api, public',
      'server-port': '3000',
      'db-max-rows': '1000',
      'db-plan-enabled': 'true',
      'log-query': 'off',
      list: 'a, 2',
      empty: '[]',
    });
  });

  it('has whole numbers with a fraction or an exponent', () => {
    const { values } = parse('a = 1.5e3\nb = 10.0\nc = [2E1, -1e1]\nd = 1.5\ne = 1e400\nf = 0660\ng = "1e1"');
    expect(values).to.deep.equal({
      a: '1500',
      b: '10',
      c: '20, -10',
      d: '1.5',
      e: '1e400',
      f: '0660',
      g: '1e1',
    });
  });

  it('has groups, comments of directives, and the last value of a name', () => {
    const { values } = parse(`
app.settings {
  edition = "twelfth"
  deep { er = 1 }
}
#; app.settings { edition = "no" }
a = 1
a = 2
#
`);
    expect(values).to.deep.equal({ 'app.settings.edition': 'twelfth', 'app.settings.deep.er': '1', a: '2' });
  });

  it('has escapes, and variables of the file and of the environment', () => {
    const { values } = parse(`
name = "web"
text = "a \\"b\\" \\\\ \\n \\u00e9"
uri = "$(HOME)/$(name) $$5 $(SECRET)"
g { name = "inner"  
 x = "$(name)" }
`);
    expect(values).to.include({
      text: 'a "b" \\ \n é',
      uri: '/home/rosa/web $5 p$w',
      'g.x': 'inner',
    });
  });

  it('imports files beside it', () => {
    const { values, problems } = parse('import "secrets/jwt.conf"\nb = 2', {
      '/etc/secrets/jwt.conf': 'jwt-secret = "s"\nb = 1',
    });
    expect({ values, problems }).to.deep.equal({ values: { 'jwt-secret': 's', b: '2' }, problems: [] });
  });

  it('says where it cannot be read', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['a = 1\nb = web_anon', '2: expected a "quoted text", a number, true, false or a list'],
      ['a = "x\n', '1: expected a "quoted text"'],
      ['a = "x" y', '1: expected `name = value` on a line of its own'],
      ['= 1', '1: expected `name = value`'],
      ['a', '1: a: expected `=` or `{`'],
      ['a { b = 1', '1: a: the group does not end'],
      ['a = [1', '1: the list does not end'],
      ['\na = "$(MISSING)"', '2: no variable MISSING'],
      ['a = "$x"', '1: expected `$$` or `$(NAME)` in a text'],
      ['import "gone.conf"', '1: cannot read /etc/gone.conf: no such file'],
    ];
    for (const [content, problem] of cases) expect(parse(content).problems, content).to.deep.equal([problem]);
  });

  it('has blank lines and comments between all of its parts', () => {
    const gap = '\n\n# x\n ';
    const { values, problems } = parse(
      `${gap}a${gap}=${gap}1\n${gap}g${gap}{${gap}b = [${gap}1${gap},${gap}"x"${gap}]${gap}}${gap}import${gap}"c.conf"${gap}d = [${gap}]${gap}`,
      { '/etc/c.conf': `${gap}c = 3${gap}` },
    );
    expect({ values, problems }).to.deep.equal({
      ...{ values: { a: '1', 'g.b': '1, x', c: '3', d: '[]' }, problems: [] },
    });
    expect(parse('g { }').problems).to.deep.equal([]);
    expect(parse('').values).to.deep.equal({});
  });

  it('has variables in quoted texts alone', () => {
    expect(parse('a = ["$x", "$(HOME)", "$$"]').values).to.deep.equal({ a: '$x, $(HOME), $$' });
    expect(parse('a = "1"\ng { b = "$(a)$(g.b)" }').problems).to.deep.equal(['2: no variable g.b']);
    expect(parse('g { a = "1"\n h { b = "$(a)" } }').values).to.deep.equal({ 'g.a': '1', 'g.h.b': '1' });
  });

  it('has its entries in the order of their last values, and of their lines', () => {
    const { entries } = parsePostgrestFile('/a.conf', 'a = 1\nb = 2\n\na = 3', {
      environment: {},
      read: () => '',
    });
    expect(entries).to.deep.equal([
      { name: 'b', value: '2', line: 2 },
      { name: 'a', value: '3', line: 4 },
    ]);
  });

  it('may import 16 files, each from the one before, and those beside it', () => {
    const chain = (length: number) =>
      Object.fromEntries(
        Array.from({ length }, (_, at) => [
          `/etc${'/d'.repeat(at)}/f.conf`,
          at + 1 < length ? 'import "d/f.conf"' : 'last = 1',
        ]),
      );
    expect(parse('import "f.conf"', chain(16))).to.deep.equal({ values: { last: '1' }, problems: [] });
    expect(parse('import "f.conf"', chain(17))).to.deep.equal({
      ...{ values: {}, problems: ['1: more than 16 nested imports'] },
    });
    expect(parse('import "/x/y.conf"', { '/x/y.conf': 'a = 1' }).values).to.deep.equal({ a: '1' });
  });

  it('ends where files import each other', () => {
    const { problems } = parse('import "a.conf"', { '/etc/a.conf': 'import "a.conf"' });
    expect(problems).to.deep.equal(['1: more than 16 nested imports']);
  });
});
