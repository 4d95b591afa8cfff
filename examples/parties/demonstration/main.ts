/**
 * `make example-signing`: plays every scenario, or those of the given letters, against a service of its own. Exits with 0 if
 * each ended as it should.
 */
import { isDeepStrictEqual } from 'node:util';
import { verifies } from '../identity-key.js';
import { endingOf, eventLine, type Ending } from './ending.js';
import { digestOf, SCENARIOS, type Expected, type Scenario } from './scenarios.js';
import { openStage, type Stage } from './stage.js';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function play(stage: Stage, scenario: Scenario, earlier: readonly string[]): Promise<Ending> {
  print(`\n${scenario.title}`);
  const { sessionId } = await scenario.create(stage, digestOf(scenario.message), earlier);
  let ending: Ending = { state: 'other', type: 'nothing' };
  for await (const event of stage.owner.follow(sessionId)) {
    print(eventLine(event));
    ending = endingOf(event);
  }
  return ending;
}

/** Prints what came of it. */
function isAsItShould(stage: Stage, { message, expected }: Scenario, ending: Ending): boolean {
  const verified =
    ending.state === 'completed' &&
    verifies(stage.dealt.publicKey, digestOf(message), Buffer.from(ending.signature, 'hex'));
  if (ending.state === 'completed') print(`  signature verifies: ${yesOrNo(verified)}`);
  const good =
    ending.state === 'completed' ? expected.state === 'completed' && verified : isSame(ending, expected);
  print(`  ended as it should: ${yesOrNo(good)}`);
  return good;
}

const isSame = (ending: Ending, expected: Expected): boolean => isDeepStrictEqual(ending, expected);
const yesOrNo = (good: boolean): string => (good ? 'yes' : 'no');

const letters = process.argv.slice(2);
const scenarios = SCENARIOS.filter(({ title }) => letters.length === 0 || letters.includes(title.charAt(1)));

async function playAll(stage: Stage): Promise<boolean> {
  const earlier: string[] = [];
  let good = true;
  for (const scenario of scenarios) {
    const ending = await play(stage, scenario, earlier);
    if (ending.state === 'completed') earlier.push(ending.signature);
    good = isAsItShould(stage, scenario, ending) && good;
  }
  return good;
}

const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => reject(new Error(`ended by ${signal}`)));
});
interrupted.catch(() => undefined);

const stage = await openStage(print);
try {
  const good = await Promise.race([playAll(stage), interrupted]);
  print(good ? '\nevery session ended as it should' : '\nnot every session ended as it should');
  if (!good) print(stage.output());
  process.exitCode = good ? 0 : 1;
} finally {
  await stage.close();
}
