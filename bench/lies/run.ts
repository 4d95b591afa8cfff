/** Plays every lie under many seeds, and says what became of each. */
import { createPlayers, play, type Players } from './play.js';
import { refusalOf, REPLAY, REQUEST_LIES } from './requests.js';
import { TRANSPORT_LIES, type Lie } from './table.js';

export interface LieRow {
  readonly name: string;
  readonly plays: number;
  /** What became of it. */
  readonly outcomes: string;
  readonly blamed: string;
  /** One for each play that did not end as it must. */
  readonly wrong: readonly string[];
}

/** Yields each lie when it was played with every seed. */
export async function* playLies(seeds: number): AsyncGenerator<LieRow> {
  const players = await createPlayers();
  for (const lie of TRANSPORT_LIES) yield await rowOf(players, lie, seeds);
  players.close();
  if (refusalOf(null, 0) !== null) throw new Error('the party refuses what enough people have signed');
  const lies = [...REQUEST_LIES, { name: REPLAY, change: REPLAY } as const];
  for (const { name, change } of lies) yield rowOfRequest(name, change, seeds);
}

async function rowOf(players: Players, lie: Lie, seeds: number): Promise<LieRow> {
  const wrong: string[] = [];
  let blamed = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { result, culprits, liar, detail } = await play(players, lie, seed);
    if (culprits.length > 0) blamed += 1;
    const mayBlame = lie.by === 'party' ? [liar] : [];
    if (result !== lie.expected || culprits.some((one) => !mayBlame.includes(one)))
      wrong.push(`seed ${String(seed)}: ${result} ${detail} [${culprits.join()}]`);
  }
  const blame = blamed === 0 ? 'no one' : `the liar in ${String(blamed)}`;
  return { name: lie.name, plays: seeds, outcomes: lie.expected, blamed: blame, wrong };
}

function rowOfRequest(name: string, change: Parameters<typeof refusalOf>[0], seeds: number): LieRow {
  const numbers = Array.from({ length: seeds }, (_, index) => index + 1);
  const wrong = numbers
    .filter((seed) => refusalOf(change, seed) === null)
    .map((seed) => `seed ${String(seed)}: taken`);
  return { name, plays: seeds, outcomes: 'refused', blamed: 'no one', wrong };
}
