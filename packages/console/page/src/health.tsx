/** The last hour of the service as plots. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import type { MetricSample } from '../../server/answers.js';
import { loadSamples } from './api.js';
import { ErrorBox } from './parts.js';
import { series, type Plot } from './series.js';

const REFRESH_MS = 15_000;
/** A request without an answer ends after this time. */
const LONGEST_MS = 30_000;

export function HealthScreen(): JSX.Element {
  const [samples, setSamples] = useState<readonly MetricSample[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** One request at a time, so that the samples of a service that hangs neither pile up nor come in another order. */
    const load = async (): Promise<void> => {
      try {
        setSamples(await loadSamples(AbortSignal.any([left.signal, AbortSignal.timeout(LONGEST_MS)])));
        setError(null);
      } catch (reason) {
        if (left.signal.aborted) return;
        setError(reason);
      }
      timer = setTimeout(() => void load(), REFRESH_MS);
    };
    void load();
    return () => {
      left.abort();
      clearTimeout(timer);
    };
  }, []);
  return (
    <div class="screen" tabIndex={0}>
      <header class="screen-head">
        <h1>Health</h1>
        <p class="comment">The last hour, a sample every 15 seconds since the service began.</p>
      </header>
      {error !== null && <ErrorBox error={error} />}
      {samples !== null && (
        <div class="plots">
          {series(samples).map((plot) => (
            <PlotOf key={plot.title} plot={plot} />
          ))}
        </div>
      )}
    </div>
  );
}

const COLOURS = ['--accent', '--plot-2', '--plot-3', '--plot-4'];
const HEIGHT = 160;
const HOUR = 3600;

function PlotOf({ plot }: { readonly plot: Plot }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const style = getComputedStyle(element);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    const axis = {
      stroke: colour('--quiet'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
      font: `11px ${style.fontFamily}`,
    };
    const now = plot.times.at(-1) ?? Date.now() / 1000;
    const drawn = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        padding: [8, 12, 0, 0],
        scales: {
          x: { range: () => [now - HOUR, now] },
          y: { range: (_plot, _low, high) => [0, Math.max(high * 1.1, plot.least)] },
        },
        axes: [
          { ...axis, size: 22, gap: 4, space: 70, values: (_plot, times) => times.map(timeOf) },
          { ...axis, size: widthOfValues, gap: 4, space: 28 },
        ],
        series: [
          {},
          ...plot.lines.map((_, index) => ({
            stroke: colour(COLOURS[index % COLOURS.length] ?? ''),
            width: 1.5,
            spanGaps: false,
            points: { show: plot.times.length < 3 },
          })),
        ],
      },
      [[...plot.times], ...plot.lines.map(({ values }) => [...values])],
      element,
    );
    const observer = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
    };
  }, [plot]);
  const last = plot.lines.map(({ label, values }) => ({ label, value: values.at(-1) ?? null }));
  return (
    <figure class="plot">
      <figcaption>
        <h2>{plot.title}</h2>
        <ul>
          {last.map(({ label, value }, index) => (
            <li key={label} class={`line-${String(index % COLOURS.length)}`}>
              {label} <b>{value === null ? '–' : `${shown(value)} ${plot.unit}`}</b>
            </li>
          ))}
        </ul>
      </figcaption>
      <div ref={place} class="plot-place" aria-hidden="true" />
    </figure>
  );
}

/** Pixels that the longest value beside the axis needs. */
const widthOfValues = (_plot: uPlot, values: readonly string[] | null): number =>
  14 + 7 * Math.max(1, ...(values ?? []).map((value) => value.length));

/** The time of day, of seconds since 1970. */
const timeOf = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

const shown = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });
