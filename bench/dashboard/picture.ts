/** The panels of a dashboard, and the states of alert rules, as SVG. */
import type { RuleState, Series, Span } from './prometheus.js';

export interface Panel {
  readonly title: string;
  readonly unit: string;
  /** Place in the grid of Grafana: 24 columns. */
  readonly place: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly lines: readonly Line[];
}

export interface Line {
  readonly name: string;
  readonly points: Series['points'];
}

const COLUMN = 50;
const ROW = 27;
const WIDTH = 24 * COLUMN;
const HEAD = 44;
const MARGIN = { left: 62, right: 14, top: 32, bottom: 78 };
const LEGEND_LINES = 3;
const LEGEND_COLUMNS = 2;

/** Okabe and Ito, and lighter ones for further lines. */
const COLOURS = '#0072b2 #e69f00 #009e73 #cc79a7 #56b4e9 #d55e00 #8c8c00 #7b5ea7 #999999 #5a5a5a'.split(' ');
const colourOf = (index: number): string => COLOURS[index % COLOURS.length] ?? '#999999';

const STYLE = `<style>
  .page { fill: #f4f5f7 } .panel { fill: #ffffff; stroke: #d5d9df } .grid { stroke: #e4e7eb }
  text { fill: #1f2328; font: 11px system-ui, sans-serif } .title { font: 600 13px system-ui, sans-serif } .head { font: 600 17px system-ui, sans-serif }
  @media (prefers-color-scheme: dark) { .page { fill: #0d1117 } .panel { fill: #161b22; stroke: #30363d } .grid { stroke: #262c34 } text { fill: #e6edf3 } }
</style>`;

export function dashboardPicture(heading: string, panels: readonly Panel[], span: Span): string {
  const rows = Math.max(...panels.map(({ place }) => place.y + place.h));
  return document(
    HEAD + rows * ROW + 6,
    heading,
    panels.map((panel) => panelPicture(panel, span)),
  );
}

const document = (height: number, heading: string, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(WIDTH)} ${String(height)}" role="img" aria-label="${escaped(heading)}">
${STYLE}
<rect class="page" width="100%" height="100%"/>
<text class="head" x="14" y="28">${escaped(heading)}</text>
${parts.join('\n')}
</svg>
`;

function panelPicture({ title, unit, place, lines }: Panel, span: Span): string {
  const [x, y] = [place.x * COLUMN + 4, HEAD + place.y * ROW + 4];
  const [width, height] = [place.w * COLUMN - 8, place.h * ROW - 8];
  const area = {
    left: MARGIN.left,
    top: MARGIN.top,
    width: width - MARGIN.left - MARGIN.right,
    height: height - MARGIN.top - MARGIN.bottom,
  };
  const top = niceMaximum(
    Math.max(...lines.flatMap(({ points }) => points.map(([, value]) => finite(value))), 0),
  );
  const across = (second: number): number =>
    area.left + ((second - span.from) / (span.to - span.from)) * area.width;
  const up = (value: number): number => area.top + area.height * (1 - finite(value) / top);
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const at = up(top * share).toFixed(1);
    return `<line class="grid" x1="${String(area.left)}" x2="${String(area.left + area.width)}" y1="${at}" y2="${at}"/><text x="${String(area.left - 6)}" y="${(Number(at) + 4).toFixed(1)}" text-anchor="end">${withUnit(top * share, unit)}</text>`;
  });
  const times = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const seconds = (span.to - span.from) * share;
    return `<text x="${across(span.from + seconds).toFixed(1)}" y="${String(area.top + area.height + 15)}" text-anchor="middle">${minutes(seconds)}</text>`;
  });
  const curves = lines.map(({ points }, index) => {
    const path = points
      .filter(([, value]) => Number.isFinite(value))
      .map(([second, value]) => `${across(second).toFixed(1)},${up(value).toFixed(1)}`)
      .join(' ');
    return `<polyline points="${path}" fill="none" stroke="${colourOf(index)}" stroke-width="1.4"/>`;
  });
  const empty =
    lines.length > 0
      ? ''
      : `<text x="${String(width / 2)}" y="${String(height / 2)}" text-anchor="middle">no data</text>`;
  return `<g transform="translate(${String(x)} ${String(y)})"><rect class="panel" width="${String(width)}" height="${String(height)}" rx="3"/><text class="title" x="10" y="20">${escaped(title)}</text>${[...grid, ...times, ...curves].join('')}${empty}${legend(lines, unit, width, area.top + area.height + 32)}</g>`;
}

function legend(lines: readonly Line[], unit: string, width: number, top: number): string {
  const most = LEGEND_LINES * LEGEND_COLUMNS;
  const shown = lines.length > most ? lines.slice(0, most - 1) : lines;
  const entries = shown.map(({ name, points }) => `${name}: ${withUnit(points.at(-1)?.[1] ?? 0, unit)}`);
  if (shown.length < lines.length) entries.push(`and ${String(lines.length - shown.length)} more`);
  return entries
    .map((entry, index) => {
      const x = 12 + (index % LEGEND_COLUMNS) * ((width - 20) / LEGEND_COLUMNS);
      const y = top + Math.floor(index / LEGEND_COLUMNS) * 16;
      return `<rect x="${x.toFixed(0)}" y="${String(y - 8)}" width="9" height="9" fill="${colourOf(index)}"/><text x="${(x + 14).toFixed(0)}" y="${String(y)}">${escaped(entry.slice(0, 46))}</text>`;
    })
    .join('');
}

const RULE_HEIGHT = 24;
const BAR = { left: 340, width: WIDTH - 340 - 30 };
const STATE_COLOURS: Readonly<Record<string, string>> = {
  inactive: '#009e73',
  pending: '#e69f00',
  firing: '#d55e00',
};

/** @param states the series `ALERTS` of the time */
export function alertsPicture(
  heading: string,
  rules: readonly RuleState[],
  states: readonly Series[],
  { from, to, step }: Span,
): string {
  const across = (second: number): number => BAR.left + ((second - from) / (to - from)) * BAR.width;
  const colour = (state: string): string => STATE_COLOURS[state] ?? '#999999';
  const parts = rules.map(({ name, severity, state }, index) => {
    const y = HEAD + 22 + index * RULE_HEIGHT;
    const own = states.filter(({ labels }) => labels['alertname'] === name);
    const pieces = ['pending', 'firing'].flatMap((each) =>
      own
        .filter(({ labels }) => labels['alertstate'] === each)
        .flatMap(({ points }) =>
          points.map(
            ([second]) =>
              `<rect x="${across(second).toFixed(1)}" y="${String(y - 11)}" width="${((step / (to - from)) * BAR.width + 0.5).toFixed(1)}" height="14" fill="${colour(each)}"/>`,
          ),
        ),
    );
    return `<text x="14" y="${String(y)}">${escaped(name)}</text><text x="190" y="${String(y)}">${severity}</text><text x="262" y="${String(y)}">${state}</text><rect x="${String(BAR.left)}" y="${String(y - 11)}" width="${String(BAR.width)}" height="14" fill="${colour('inactive')}" fill-opacity="0.25"/>${pieces.join('')}`;
  });
  const bottom = HEAD + 22 + rules.length * RULE_HEIGHT;
  const times = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<text x="${(BAR.left + share * BAR.width).toFixed(0)}" y="${String(bottom + 2)}" text-anchor="middle">${minutes((to - from) * share)}</text>`,
  );
  const names = `<text class="title" x="14" y="${String(HEAD + 2)}">alert</text><text class="title" x="190" y="${String(HEAD + 2)}">severity</text><text class="title" x="262" y="${String(HEAD + 2)}">at the end</text>`;
  return document(bottom + 16, heading, [names, ...parts, ...times]);
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0);

/** The next value with one digit, or two for 1.5 and 2.5. */
function niceMaximum(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return (MULTIPLES.find((multiple) => multiple * power >= value) ?? 10) * power;
}

const MULTIPLES = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

function withUnit(value: number, unit: string): string {
  const number = finite(value);
  switch (unit) {
    case 's':
      return number >= 1 ? `${short(number)} s` : `${short(number * 1000)} ms`;
    case 'bytes':
      return `${short(number / 1_048_576)} MiB`;
    case 'percentunit':
      return `${short(number * 100)} %`;
    case 'reqps':
    case 'cps':
      return `${short(number)}/s`;
    default:
      return short(number);
  }
}

const short = (value: number): string =>
  value >= 100 ? Math.round(value).toString() : Number(value.toPrecision(2)).toString();

const minutes = (seconds: number): string => {
  const whole = Math.round(seconds);
  return `${String(Math.floor(whole / 60))}:${String(whole % 60).padStart(2, '0')}`;
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
