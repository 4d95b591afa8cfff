import { expect } from 'chai';
import {
  loadFactor,
  createPace,
  createMachineLoad,
  recordOverrun,
  recordLongResult,
  recordRun,
  recordQuickRun,
  paceClass,
  type Pace,
} from '../../../src/postgres/pace.js';

const quickly = (pace: Pace, runs: number): void => {
  for (let run = 0; run < runs; run++) recordRun(pace, 0.5, 100);
};

describe('the pace of a shape', () => {
  it('is moderate before the first run, so that it does not wait behind slow batches', () => {
    const pace = createPace();
    expect(paceClass(pace)).to.equal('moderate');
    recordRun(pace, 5, 100);
    expect(paceClass(pace)).to.equal('quick');
  });

  it('stays quick over runs that a busy machine makes slow', () => {
    const pace = createPace();
    quickly(pace, 5);
    for (let run = 0; run < 4; run++) recordRun(pace, 20, 100);
    expect(paceClass(pace)).not.to.equal('slow');
  });

  it('is slow by its time, or by the length of its result', () => {
    const slow = createPace();
    recordRun(slow, 400, 100);
    expect(paceClass(slow)).to.equal('slow');
    const long = createPace();
    recordRun(long, 1, 3_000_000);
    expect(paceClass(long)).to.equal('slow');
    recordRun(long, 1, 100);
    expect(paceClass(long)).to.equal('quick');
  });

  it('is slow after several overruns in a row, and not after a single one or a single late run', () => {
    const pace = createPace();
    quickly(pace, 5);
    recordOverrun(pace);
    recordRun(pace, 10_000, 100);
    expect(paceClass(pace)).to.equal('quick');
    for (let run = 0; run < 12; run++) recordOverrun(pace);
    expect(paceClass(pace)).to.equal('slow');
    quickly(pace, 2);
    expect(paceClass(pace)).to.equal('quick');
  });

  it('stays unknown after an overrun before the first run', () => {
    const pace = createPace();
    recordOverrun(pace);
    expect(paceClass(pace)).to.equal('moderate');
  });

  it('is slow from the beginning of a long result on', () => {
    const pace = createPace();
    quickly(pace, 5);
    recordLongResult(pace, 3_000_000);
    expect(paceClass(pace)).to.equal('slow');
  });

  it('may be given instead of measured', () => {
    recordRun('quick', 1000, 100);
    recordOverrun('quick');
    expect(paceClass('quick')).to.equal('quick');
  });
});

describe('the load of the machine', () => {
  it('is that of a machine at rest if some batches are quick', () => {
    const load = createMachineLoad();
    for (let run = 0; run < 500; run++) recordQuickRun(load, run % 3 === 0 ? 0.3 : 1.5);
    expect(loadFactor(load)).to.equal(1);
  });

  it('rises if everything takes long, and falls again', () => {
    const load = createMachineLoad();
    for (let run = 0; run < 200; run++) recordQuickRun(load, 10);
    expect(loadFactor(load)).to.equal(4);
    for (let run = 0; run < 50; run++) recordQuickRun(load, 0.5);
    expect(loadFactor(load)).to.equal(1);
  });
});
