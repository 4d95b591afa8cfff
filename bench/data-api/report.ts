/** The figures of the data API's benchmark as Markdown. */
import { median } from '../median.js';

/** One measurement of one server. */
export interface Sample {
  readonly perSecond: number;
  /** Processor time a request, in microseconds. */
  readonly serverUs: number;
  readonly databaseUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Resident memory after the measurement, in bytes. */
  readonly residentBytes: number;
}

/** The medians of one server under one load. */
export interface Row {
  readonly load: string;
  readonly connections: number;
  readonly server: string;
  readonly figures: Sample;
}

export function medians(samples: readonly Sample[]): Sample {
  const of = (field: keyof Sample): number =>
    median(samples.map((sample) => sample[field]).filter((value) => !Number.isNaN(value)));
  return {
    perSecond: of('perSecond'),
    serverUs: of('serverUs'),
    databaseUs: of('databaseUs'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    residentBytes: of('residentBytes'),
  };
}

export const TABLE_HEAD = `| load | connections | server | requests/s | of dbr | server µs | database µs | p50 ms | p99 ms | resident MB |
| --- | --: | --- | --: | --: | --: | --: | --: | --: | --: |`;

/** @param dbr the figures of dbr under the same load, to which the rate is compared */
export function tableRow({ load, connections, server, figures }: Row, dbr: Sample): string {
  const { perSecond, serverUs, databaseUs, p50Ms, p99Ms, residentBytes } = figures;
  const cells = [
    load,
    String(connections),
    server,
    perSecond.toFixed(perSecond < 100 ? 1 : 0),
    (perSecond / dbr.perSecond).toFixed(2),
    figure(serverUs, 0),
    figure(databaseUs, 0),
    figure(p50Ms, 2),
    figure(p99Ms, 2),
    figure(residentBytes / 1e6, 0),
  ];
  return `| ${cells.join(' | ')} |`;
}

const figure = (value: number, digits: number): string => (Number.isNaN(value) ? '' : value.toFixed(digits));

/** The whole table, in the order of the rows. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const dbr = rows.find(
      ({ load, connections, server }) =>
        load === row.load && connections === row.connections && server === 'dbr',
    );
    return tableRow(row, (dbr ?? row).figures);
  });
  return `${TABLE_HEAD}\n${lines.join('\n')}\n`;
}
