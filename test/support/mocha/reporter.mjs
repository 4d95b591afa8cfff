// The "spec" reporter with one closing line that any CI can read: `N passed, N failed, N skipped`.
import mocha from 'mocha';

export default class ClosingLine extends mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => {
      const { passes = 0, failures = 0, pending = 0 } = this.stats ?? {};
      console.log(`${passes} passed, ${failures} failed, ${pending} skipped`);
    });
  }
}
