/** Bars as SVG, for pages that are read in light or dark. */

export interface BarGroup {
  readonly title: string;
  readonly bars: readonly Bar[];
}

/** A bar: what was measured (its colour and place in the legend) and the figure. */
export interface Bar {
  readonly name: string;
  readonly value: number;
}

const WIDTH = 860;
const LABEL_WIDTH = 210;
const VALUE_WIDTH = 90;
const BAR_HEIGHT = 14;
const BAR_GAP = 3;
const GROUP_GAP = 14;
const HEAD_HEIGHT = 62;

/** Colours of the names, in both schemes. They differ also for readers with colour vision deficiency (Okabe and Ito). */
const COLOURS = ['#0072b2', '#56b4e9', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#999999'];

/**
 * Renders groups of bars. All bars of a figure have one scale, so that lengths compare across groups; the value stands at
 * the end of each bar.
 */
export function barChart(heading: string, groups: readonly BarGroup[]): string {
  const title = escaped(heading);
  const names = [...new Set(groups.flatMap(({ bars }) => bars.map(({ name }) => name)))];
  const colourOf = (name: string): string => COLOURS[names.indexOf(name) % COLOURS.length] ?? '#999999';
  const longest = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)), Number.MIN_VALUE);
  let top = HEAD_HEIGHT;
  const parts: string[] = [];
  for (const { title: label, bars } of groups) {
    const height = bars.length * (BAR_HEIGHT + BAR_GAP);
    parts.push(
      `<text class="label" x="${String(LABEL_WIDTH - 10)}" y="${String(top + height / 2 + 2)}" text-anchor="end">${escaped(label)}</text>`,
    );
    for (const { name, value } of bars) {
      const width = (value / longest) * (WIDTH - LABEL_WIDTH - VALUE_WIDTH);
      parts.push(
        `<rect x="${String(LABEL_WIDTH)}" y="${String(top)}" width="${width.toFixed(1)}" height="${String(BAR_HEIGHT)}" fill="${colourOf(name)}"/>`,
        `<text class="value" x="${(LABEL_WIDTH + width + 6).toFixed(1)}" y="${String(top + BAR_HEIGHT - 3)}">${valueText(value)}</text>`,
      );
      top += BAR_HEIGHT + BAR_GAP;
    }
    top += GROUP_GAP;
  }
  const legend = names.map((name, index) => {
    const x = LABEL_WIDTH + (index * (WIDTH - LABEL_WIDTH)) / Math.max(names.length, 5);
    return `<rect x="${x.toFixed(0)}" y="36" width="12" height="12" fill="${colourOf(name)}"/><text class="value" x="${(x + 17).toFixed(0)}" y="46">${escaped(name)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(WIDTH)} ${String(top)}" role="img" aria-label="${title}">
<style>
  .page { fill: #ffffff } text { fill: #1f2328; font: 12px system-ui, sans-serif } .title { font: 600 15px system-ui, sans-serif }
  @media (prefers-color-scheme: dark) { .page { fill: #0d1117 } text { fill: #e6edf3 } }
</style>
<rect class="page" width="100%" height="100%"/>
<text class="title" x="16" y="24">${title}</text>
${[...legend, ...parts].join('\n')}
</svg>
`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const valueText = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(value < 10 ? 2 : 1);
