/** Work at the end of a turn of the event loop, after all input that has arrived was read. */

export type TurnEndWork = () => void;

const waiting: TurnEndWork[] = [];
let isScheduled = false;

/** Runs the work at the end of this turn. If the turn is ending already, the work still belongs to it. */
export function sendAtTurnEnd(work: TurnEndWork): void {
  waiting.push(work);
  schedule();
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(endTurn);
}

function endTurn(): void {
  try {
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) work();
  } finally {
    isScheduled = false;
    // If one fails, the next turn runs those behind it.
    if (waiting.length > 0) schedule();
  }
}
