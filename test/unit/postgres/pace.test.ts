import { expect } from 'chai';
import {
  busyness,
  createPace,
  createTempo,
  lapse,
  learn,
  observe,
  paceClass,
  patience,
  type Pace,
} from '../../../src/postgres/pace.js';

const quickly = (pace: Pace, runs: number): void => {
  for (let run = 0; run < runs; run++) learn(pace, 0.5, 100);
};

describe('the pace of a shape', () => {
  it('is moderate before the first run, so that nothing slow is ahead of it', () => {
    const pace = createPace();
    expect(paceClass(pace)).to.equal('moderate');
    learn(pace, 5, 100);
    expect(paceClass(pace), 'parsed and planned for the first time').to.equal('moderate');
    quickly(pace, 3);
    expect(paceClass(pace)).to.equal('quick');
  });

  it('stays quick over runs that a busy machine makes slow', () => {
    const pace = createPace();
    quickly(pace, 5);
    for (let run = 0; run < 4; run++) learn(pace, 20, 100);
    expect(paceClass(pace)).not.to.equal('slow');
  });

  it('is slow by its time, or by the length of its result', () => {
    const slow = createPace();
    learn(slow, 400, 100);
    expect(paceClass(slow)).to.equal('slow');
    const long = createPace();
    learn(long, 1, 3_000_000);
    expect(paceClass(long)).to.equal('slow');
    learn(long, 1, 100);
    expect(paceClass(long)).to.equal('quick');
  });

  it('has one run on a connection after it held up others, each time for longer', () => {
    const pace = createPace();
    quickly(pace, 5);
    for (const due of [8, 64, 512, 512]) {
      lapse(pace);
      quickly(pace, due - 1);
      expect(paceClass(pace)).to.equal('moderate');
      quickly(pace, 1);
      expect(paceClass(pace)).to.equal('quick');
    }
  });

  it('is slow when it holds up others again meanwhile', () => {
    const pace = createPace();
    quickly(pace, 5);
    expect(patience(pace)).to.equal(1);
    for (const expected of [2, 3, 4]) {
      expect(paceClass(pace)).not.to.equal('slow');
      lapse(pace);
      expect(patience(pace)).to.equal(expected);
    }
    quickly(pace, 7);
    expect(paceClass(pace)).to.equal('slow');
    quickly(pace, 1);
    expect(paceClass(pace)).to.equal('quick');
  });

  it('begins again where a run is late before it has made up for the lapse', () => {
    const pace = createPace();
    quickly(pace, 5);
    lapse(pace);
    quickly(pace, 7);
    learn(pace, 20, 100);
    quickly(pace, 7);
    expect(paceClass(pace)).to.equal('moderate');
    quickly(pace, 1);
    expect(paceClass(pace)).to.equal('quick');
  });

  it('is forgiven a lapse after many runs in time', () => {
    const pace = createPace();
    quickly(pace, 5);
    lapse(pace);
    quickly(pace, 8 + 161);
    expect(pace.lapses).to.equal(0);
  });

  it('may be given instead of learnt', () => {
    learn('quick', 1000, 100);
    lapse('quick');
    expect(paceClass('quick')).to.equal('quick');
  });
});

describe('the tempo of a pool', () => {
  it('is that of a machine at rest where some batches are quick', () => {
    const tempo = createTempo();
    for (let run = 0; run < 500; run++) observe(tempo, run % 3 === 0 ? 0.3 : 1.5);
    expect(busyness(tempo)).to.equal(1);
  });

  it('slows down where everything takes long, and recovers', () => {
    const tempo = createTempo();
    for (let run = 0; run < 200; run++) observe(tempo, 10);
    expect(busyness(tempo)).to.equal(4);
    for (let run = 0; run < 50; run++) observe(tempo, 0.5);
    expect(busyness(tempo)).to.equal(1);
  });
});
