/** What every benchmark writes into the folder of `--out`: a page of Markdown and plots beside it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** Cells of Markdown, the first row of which is the head. A column of figures is aligned to the right. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface Report {
  /** Name of the page, without `.md`; plots are named after it. */
  readonly name: string;
  readonly title: string;
  readonly markdown: string;
  /** SVG by the name of its file, without `.svg`. */
  readonly plots: ReadonlyMap<string, string>;
}

/** The folder that `--out` names; empty if results are printed alone. */
export function outFolder(): string {
  return parseArgs({ options: { out: { type: 'string', default: '' } }, strict: false }).values.out as string;
}

/** The machine and the runtime, as every page names them. */
export const machine = (): string =>
  `${String(cpus().length)} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node.js ${process.version}`;

export function markdownTable({ head, rows }: Table): string {
  const isFigure = (at: number): boolean => rows.every((row) => /^[<~]?[\d.,]*$/.test(row[at] ?? ''));
  const lines = [head, head.map((_, at) => (isFigure(at) ? '--:' : '---')), ...rows];
  return lines.map((cells) => `${tableLine(cells)}\n`).join('');
}

/** One line of a table. */
export const tableLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A figure of a cell; empty for NaN, which stands for what was not measured. */
export const figure = (value: number, digits = 0): string =>
  Number.isNaN(value) ? '' : value.toFixed(digits);

/** Writes the page with its plots below the title. */
export async function writeReport(folder: string, { name, title, markdown, plots }: Report): Promise<void> {
  await mkdir(folder, { recursive: true });
  const images = [...plots.keys()].map((file) => `![${title}](${file}.svg)\n\n`).join('');
  await writeFile(join(folder, `${name}.md`), `# ${title}\n\n${images}${markdown}`);
  for (const [file, svg] of plots) await writeFile(join(folder, `${file}.svg`), svg);
}
