/**
 * Lies to the parties of the example: about messages of a signing, and about what people have signed. Each must be caught before a
 * share is used, and a party must blame the liar or no one.
 *   tsx bench/lies/main.ts [seeds]
 */
import { playLies, type LieRow } from './run.js';

/** The longest name. */
const WIDTH = 44;

const [seeds = '100'] = process.argv.slice(2);
const rows: LieRow[] = [];
for await (const row of playLies(Number(seeds))) {
  rows.push(row);
  const columns = [
    row.name.padEnd(WIDTH),
    String(row.plays).padStart(5),
    row.outcomes.padEnd(13),
    row.blamed,
  ];
  process.stdout.write(`${columns.join('  ')}\n${row.wrong.map((one) => `  WRONG ${one}\n`).join('')}`);
}
const failed = rows.reduce((count, { wrong }) => count + wrong.length, 0);
const plays = rows.reduce((count, row) => count + row.plays, 0);
process.stdout.write(
  `${String(rows.length)} lies, ${String(plays)} plays, ${String(failed)} not as they must be\n`,
);
process.exitCode = failed === 0 ? 0 : 1;
