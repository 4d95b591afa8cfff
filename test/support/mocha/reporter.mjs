// The "spec" reporter with the failures once more, a line each with the time at which each was seen, and one closing line that any
// CI can read: `N passed, N failed, N skipped`.
import mocha from 'mocha';

export default class ClosingLine extends mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failed = [];
    runner.on('fail', (test, error) => {
      const [reason] = String(error?.message).split('\n');
      failed.push(`${new Date().toISOString().slice(11, 19)} ${test.fullTitle()}: ${reason.slice(0, 160)}`);
    });
    runner.once('end', () => {
      for (const line of failed) console.log(line);
      const { passes = 0, failures = 0, pending = 0 } = this.stats ?? {};
      console.log(`${passes} passed, ${failures} failed, ${pending} skipped`);
    });
  }
}
