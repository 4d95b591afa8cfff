import { expect } from 'chai';
import { until } from '../../support/until.js';
import { createUploadRate } from '../../../src/http/upload-rate.js';

describe('the rate of a body that is received with pauses', () => {
  /** A clock that the test sets, with a grace of one second and a minimum of 1000 bytes a second. */
  function watched() {
    const clock = { now: 0 };
    const failures: Error[] = [];
    const rate = createUploadRate(1000, () => clock.now, 1000);
    const upload = rate.begin((error) => void failures.push(error));
    return { clock, failures, rate, upload };
  }

  it('is not measured while the service delays it', () => {
    const { clock, rate, upload } = watched();
    upload.received = 500;
    clock.now = 500;
    rate.pause(upload);
    clock.now = 60_000;
    rate.resume(upload);
    expect([upload.beganAt, upload.received]).to.deep.equal([59_500, 500]);
    rate.end(upload);
  });

  it('is made up for by what was sent before, for one time of grace', async () => {
    const { clock, failures, rate, upload } = watched();
    upload.received = 1_000_000_000;
    clock.now = 100_000;
    rate.pause(upload);
    rate.resume(upload);
    expect([upload.beganAt, upload.received]).to.deep.equal([99_000, 2000]);
    clock.now = 101_001;
    await until(() => failures.length > 0);
    expect(failures.map(({ name }) => name)).to.deep.equal(['RequestTimeout']);
  });

  it('is measured at each chunk, however short and frequent they are', () => {
    const { clock, failures, rate, upload } = watched();
    rate.pause(upload);
    while (clock.now <= 1000) {
      rate.resume(upload);
      clock.now += 100;
      upload.received += 1;
      rate.pause(upload);
    }
    expect(failures.map(({ name }) => name)).to.deep.equal(['RequestTimeout']);
  });

  it('is made up for once by what was sent before', () => {
    const { clock, failures, rate, upload } = watched();
    upload.received = 1_000_000_000;
    clock.now = 1000;
    rate.pause(upload);
    while (failures.length === 0 && clock.now < 10_000) {
      rate.resume(upload);
      clock.now += 990;
      upload.received += 1;
      rate.pause(upload);
    }
    expect([clock.now, failures.map(({ name }) => name)]).to.deep.equal([2980, ['RequestTimeout']]);
  });
});
