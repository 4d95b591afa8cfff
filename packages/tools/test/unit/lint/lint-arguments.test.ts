import { expect } from 'chai';
import { CommandLineError, readArguments } from '../../../../../src/command-line/arguments.js';
import { InputError } from '../../../../../src/command-line/input-error.js';
import { lintSettings } from '../../../src/lint/lint-settings.js';
import { renderFindings, renderRules } from '../../../src/lint/lint.js';
import { RULES } from '../../../src/lint/rules.js';

describe('dbr lint', () => {
  const DEFAULT = {
    ...{ name: 'lint', config: undefined, listRules: false, format: 'text', failOn: 'warning' },
    off: new Set(),
    accepted: undefined,
    fix: null,
  };

  it('takes a file, a format, a level and rules that are switched off', () => {
    expect(readArguments(['lint'])).to.deep.equal(DEFAULT);
    expect(readArguments(['lint', 'dbr.conf'])).to.deep.equal({ ...DEFAULT, config: 'dbr.conf' });
    expect(
      readArguments([
        ...['lint', '--config', 'dbr.conf', '--format', 'json', '--fail-on', 'never'],
        ...['--off', 'secret-column,create-on-schema'],
      ]),
    ).to.deep.equal({
      ...DEFAULT,
      ...{ config: 'dbr.conf', format: 'json', failOn: null },
      off: new Set(['secret-column', 'create-on-schema']),
    });
    expect(readArguments(['lint', '--fix', '--accepted', 'a.txt'])).to.deep.equal({
      ...DEFAULT,
      ...{ accepted: 'a.txt', fix: 'db/migrations' },
    });
    expect(readArguments(['lint', '--fix', '--folder', 'm'])).to.deep.equal({ ...DEFAULT, fix: 'm' });
    expect(readArguments(['lint', '--rules'])).to.deep.equal({ ...DEFAULT, listRules: true });
  });

  for (const [args, message] of [
    [['--format', 'xml'], '--format takes text or json'],
    [['--fail-on', 'fatal'], '--fail-on takes error, warning, info or never'],
    [['--folder', 'm'], '--folder needs --fix'],
  ] as const)
    it(`refuses ${args.join(' ')}`, () => {
      expect(() => readArguments(['lint', ...args])).to.throw(CommandLineError, message);
    });

  it('refuses rules that it does not have', async () => {
    const options = { format: 'text', failOn: null, accepted: undefined, fix: null } as const;
    const error: unknown = await lintSettings(
      { file: undefined, environment: {} },
      { ...options, off: new Set(['secret-column', 'x', 'y']) },
    ).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(InputError);
    expect(String(error)).to.contain('unknown rule x, y: see dbr lint --rules');
  });

  it('has the same file and format as dbr doctor', () => {
    const doctor = { name: 'doctor', config: undefined, format: 'text' };
    expect(readArguments(['doctor'])).to.deep.equal(doctor);
    expect(readArguments(['doctor', 'dbr.conf', '--format', 'json'])).to.deep.equal({
      ...doctor,
      ...{ config: 'dbr.conf', format: 'json' },
    });
    expect(() => readArguments(['doctor', '--format', 'xml'])).to.throw(CommandLineError);
  });

  it('lists its rules, whose names and meanings differ', () => {
    expect(renderRules().split('\n')).to.have.lengthOf(2 * RULES.length);
    expect(new Set(RULES.flatMap(({ name, meaning }) => [name, meaning])).size).to.equal(2 * RULES.length);
    for (const { name, meaning } of RULES) {
      expect(name).to.match(/^[a-z-]+$/);
      expect(meaning).to.match(/^[A-Z].*\.$/);
    }
  });

  it('says that it found nothing', () => {
    expect(renderFindings([])).to.equal('no findings');
  });
});
