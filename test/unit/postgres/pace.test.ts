import { expect } from 'chai';
import {
  loadFactor,
  createPace,
  createMachineLoad,
  recordOverrun,
  recordRun,
  recordQuickRun,
  paceClass,
  toleranceOf,
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
    expect(paceClass(pace), 'parsed and planned for the first time').to.equal('moderate');
    quickly(pace, 3);
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

  it('has one run on a connection after an overrun, for longer each time', () => {
    const pace = createPace();
    quickly(pace, 5);
    for (const probation of [8, 64, 512, 512]) {
      recordOverrun(pace);
      quickly(pace, probation - 1);
      expect(paceClass(pace)).to.equal('moderate');
      quickly(pace, 1);
      expect(paceClass(pace)).to.equal('quick');
    }
  });

  it('is slow after further overruns during the probation', () => {
    const pace = createPace();
    quickly(pace, 5);
    expect(toleranceOf(pace)).to.equal(1);
    for (const expected of [2, 3, 4]) {
      expect(paceClass(pace)).not.to.equal('slow');
      recordOverrun(pace);
      expect(toleranceOf(pace)).to.equal(expected);
    }
    quickly(pace, 7);
    expect(paceClass(pace)).to.equal('slow');
    quickly(pace, 1);
    expect(paceClass(pace)).to.equal('quick');
  });

  it('begins the probation again after a late run', () => {
    const pace = createPace();
    quickly(pace, 5);
    recordOverrun(pace);
    quickly(pace, 7);
    recordRun(pace, 20, 100);
    quickly(pace, 7);
    expect(paceClass(pace)).to.equal('moderate');
    quickly(pace, 1);
    expect(paceClass(pace)).to.equal('quick');
  });

  it('forgets an overrun after many timely runs', () => {
    const pace = createPace();
    quickly(pace, 5);
    recordOverrun(pace);
    quickly(pace, 8 + 161);
    expect(pace.overruns).to.equal(0);
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
