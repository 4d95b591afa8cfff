/**
 * Work at the end of a turn of the event loop, after all input that has arrived was read: what waits is first gathered,
 * then sent. Both happen in the same turn, which `setImmediate` twice would not do.
 */

export type TurnEndWork = () => void;

let gathering: TurnEndWork[] = [];
let sending: TurnEndWork[] = [];
let isScheduled = false;

/** Runs the work at the end of this turn, before everything that is sent. */
export function gatherAtTurnEnd(work: TurnEndWork): void {
  gathering.push(work);
  schedule();
}

/** Runs the work at the end of this turn. At the end of a turn, it is added to that turn. */
export function sendAtTurnEnd(work: TurnEndWork): void {
  sending.push(work);
  schedule();
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(endTurn);
}

function endTurn(): void {
  try {
    runAll();
  } finally {
    isScheduled = false;
    // Work that an error has left behind is not lost.
    if (gathering.length + sending.length > 0) schedule();
  }
}

function runAll(): void {
  const gathered = gathering;
  gathering = [];
  for (const work of gathered) work();
  const sent = sending;
  sending = [];
  for (const work of sent) work();
}
