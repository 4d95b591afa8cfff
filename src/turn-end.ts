/**
 * Work at the end of a turn of the event loop, after all input that has arrived was read: what waits is first gathered,
 * then sent. Both happen in the same turn, which `setImmediate` twice would not do.
 */

export type TurnEndWork = () => void;

const gathering: TurnEndWork[] = [];
const sending: TurnEndWork[] = [];
let isScheduled = false;

/** Runs the work at the end of this turn, before everything that is sent. */
export function gatherAtTurnEnd(work: TurnEndWork): void {
  gathering.push(work);
  schedule();
}

/** Runs the work at the end of this turn. If the turn is ending already, the work still belongs to it. */
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
    for (let work = gathering.shift(); work !== undefined; work = gathering.shift()) work();
    for (let work = sending.shift(); work !== undefined; work = sending.shift()) work();
  } finally {
    isScheduled = false;
    // If one fails, the next turn runs those behind it.
    if (gathering.length + sending.length > 0) schedule();
  }
}
