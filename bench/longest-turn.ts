/**
 * The longest turns of the event loop: the worst text of each grammar in heads of 60 kB and in bodies, against the
 * compiled service (BASELINE=folder of another build).  tsx bench/longest-turn.ts [bytes of a body] [pattern of names] [most seconds]
 */
import { sendWorst, startTurnService, type Turns } from '../test/support/service/turns.js';
import { worstBodies, worstHeads, type WorstRequest } from '../test/support/service/worst-requests.js';

const [bodyBytes = '20000000', pattern = '', mostSeconds = '900'] = process.argv.slice(2);
const HEAD_BYTES = 60_000;
const LISTED = Number(process.env['LISTED'] ?? 10);
const CONTROL_EVERY = 50;
const wanted = new RegExp(pattern);

interface Measured extends Turns {
  readonly name: string;
  readonly status: number;
}

const service = await startTurnService(process.env['BASELINE']);

async function measure(request: WorstRequest): Promise<Measured> {
  await service.turns();
  const status = await sendWorst(service.url, request);
  return { name: request.name, status, ...(await service.turns()) };
}

const control: WorstRequest = {
  name: 'control',
  method: 'GET',
  target: '/pub?id=eq.1',
  headers: [],
  body: null,
};
const measured: Measured[] = [];
const controls: Measured[] = [];
async function run(requests: Iterable<WorstRequest>): Promise<void> {
  for (const request of requests) {
    if (!wanted.test(request.name)) continue;
    if (performance.now() > Number(mostSeconds) * 1000) return;
    if (measured.length % CONTROL_EVERY === 0) controls.push(await measure(control));
    measured.push(await measure(request));
  }
}

const row = ({ name, status, delayMs, longestMs, usedMs }: Measured): string =>
  `${[longestMs, delayMs, usedMs].map((ms) => ms.toFixed(1).padStart(8)).join(' ')}  ${String(status)}  ${JSON.stringify(name).slice(1, -1)}`;

function report(title: string): void {
  console.log(`\n${title}: ${String(measured.length)} requests; the worst ${String(LISTED)} and the control`);
  console.log(' cpu ms delay ms all cpu  status');
  const worst = measured.toSorted((left, right) => right.longestMs - left.longestMs).slice(0, LISTED);
  for (const one of worst) console.log(row(one));
  const longest = controls.toSorted((left, right) => right.longestMs - left.longestMs)[0];
  if (longest !== undefined) console.log(row(longest));
  measured.length = 0;
  controls.length = 0;
}

for (let time = 0; time < 20; time += 1) await measure(control);
await run(worstHeads(HEAD_BYTES, service.token));
report(`Heads of ${String(HEAD_BYTES)} bytes`);
await run(worstBodies(Number(bodyBytes), service.token));
report(`Bodies of up to ${bodyBytes} bytes`);
await service.stop();
