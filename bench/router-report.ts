/** The figures of the router's benchmark as Markdown and plots. */
import { median } from './median.js';
import { barChart, type BarGroup } from './plot.js';
import { RELAY } from './router-servers.js';

/** One measurement of one server. Times to the response of a send, and to the delivery of its message. */
export interface Sample {
  readonly sendsPerSecond: number;
  readonly deliveriesPerSecond: number;
  readonly sendP50Ms: number;
  readonly sendP99Ms: number;
  readonly deliveryP50Ms: number;
  readonly deliveryP99Ms: number;
  /** Processor time a send, in microseconds. */
  readonly serverUs: number;
  readonly databaseUs: number;
  readonly busUs: number;
  readonly clientsUs: number;
}

/** The medians of one server with a number of senders. */
export interface Row {
  readonly server: string;
  readonly senders: number;
  readonly figures: Sample;
}

export function medians(samples: readonly Sample[]): Sample {
  const of = (field: keyof Sample): number => median(samples.map((sample) => sample[field]));
  return {
    sendsPerSecond: of('sendsPerSecond'),
    deliveriesPerSecond: of('deliveriesPerSecond'),
    sendP50Ms: of('sendP50Ms'),
    sendP99Ms: of('sendP99Ms'),
    deliveryP50Ms: of('deliveryP50Ms'),
    deliveryP99Ms: of('deliveryP99Ms'),
    serverUs: of('serverUs'),
    databaseUs: of('databaseUs'),
    busUs: of('busUs'),
    clientsUs: of('clientsUs'),
  };
}

export const TABLE_HEAD = `| senders | server | sends/s | deliveries/s | of the relay | response p50 ms | p99 ms | delivery p50 ms | p99 ms | service µs | database µs | bus µs | clients µs |
| --: | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |`;

/** @param relay the figures of the relay with as many senders */
export function tableRow({ server, senders, figures }: Row, relay: Sample): string {
  const cells = [
    String(senders),
    server,
    figures.sendsPerSecond.toFixed(0),
    figures.deliveriesPerSecond.toFixed(0),
    (figures.sendsPerSecond / relay.sendsPerSecond).toFixed(2),
    figures.sendP50Ms.toFixed(2),
    figures.sendP99Ms.toFixed(1),
    figures.deliveryP50Ms.toFixed(2),
    figures.deliveryP99Ms.toFixed(1),
    figures.serverUs.toFixed(0),
    figures.databaseUs.toFixed(0),
    figures.busUs.toFixed(0),
    figures.clientsUs.toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The whole table, in the order of the rows. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const relay = rows.find(({ server, senders }) => server === RELAY && senders === row.senders) ?? row;
    return tableRow(row, relay.figures);
  });
  return `${TABLE_HEAD}\n${lines.join('\n')}\n`;
}

/** A page by the name of its file, without `.md`, and its plots by theirs, without `.svg`. */
export interface Page {
  readonly name: string;
  readonly title: string;
  readonly plots: ReadonlyMap<string, string>;
}

/** @param rate sends a second; null: as fast as they were answered, which shows rates rather than latency */
export function page(rows: readonly Row[], rate: number | null): Page {
  const groups = (value: (figures: Sample) => number): readonly BarGroup[] =>
    [...new Set(rows.map(({ senders }) => senders))].map((count) => ({
      title: count === 1 ? '1 sender' : `${String(count)} senders`,
      bars: rows
        .filter(({ senders }) => senders === count)
        .map(({ server, figures }) => ({ name: server, value: value(figures) })),
    }));
  const rates = groups(({ sendsPerSecond }) => sendsPerSecond);
  const times = groups(({ serverUs }) => serverUs);
  const latencies = groups(({ deliveryP99Ms }) => deliveryP99Ms);
  const latencyPlot = barChart('From send to delivery, p99 in ms', latencies);
  if (rate !== null) {
    const title = `Router at ${String(rate)} sends a second`;
    return { name: 'router-at-rate', title, plots: new Map([['router-at-rate', latencyPlot]]) };
  }
  const plots = new Map([
    ['router-rate', barChart('Sends a second', rates)],
    ['router-processor', barChart('Processor time of the service, µs a send', times)],
    ['router-latency', latencyPlot],
  ]);
  return { name: 'router', title: 'Router', plots };
}
