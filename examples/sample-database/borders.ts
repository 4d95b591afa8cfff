/** Land borders, measured on a map: the lines that two countries of a topology share (TopoJSON specification 2.1.4). */
import { list, record, records, text, type Row } from './sources.js';
import { distanceKm, type Point } from './sphere.js';

export interface Border {
  /** ISO 3166-1 numeric codes. */
  readonly one: string;
  readonly other: string;
  readonly lengthKm: number;
}

/** Kosovo has no numeric code, the only country of ours without. */
export const KOSOVO = 'Kosovo';

/** All borders of a world atlas, each once. */
export function measureBorders(atlas: unknown): readonly Border[] {
  const topology = record(atlas);
  const lengths = arcLengths(topology);
  const owners = arcOwners(records(record(record(topology['objects'])['countries'])['geometries']));
  const borders = new Map<string, Border>();
  for (const [arc, countries] of owners) {
    const [one, other] = [...countries].sort();
    if (one === undefined || other === undefined) continue;
    const lengthKm = (borders.get(`${one} ${other}`)?.lengthKm ?? 0) + (lengths[arc] ?? 0);
    borders.set(`${one} ${other}`, { one, other, lengthKm });
  }
  return [...borders.values()];
}

/** Which countries each line belongs to. A line is given as ~index where it is walked backwards. */
function arcOwners(countries: readonly Row[]): ReadonlyMap<number, ReadonlySet<string>> {
  const owners = new Map<number, Set<string>>();
  for (const country of countries) {
    const code = codeOf(country);
    if (code === null) continue;
    for (const index of list(country['arcs']).flat(3).map(Number)) {
      const arc = index < 0 ? ~index : index;
      owners.set(arc, (owners.get(arc) ?? new Set()).add(code));
    }
  }
  return owners;
}

function codeOf(country: Row): string | null {
  if (country['id'] !== undefined) return text(country, 'id');
  return record(country['properties'])['name'] === KOSOVO ? KOSOVO : null;
}

function arcLengths(topology: Row): readonly number[] {
  const transform = record(topology['transform']);
  const [scaleX = 1, scaleY = 1] = list(transform['scale']).map(Number);
  const [moveX = 0, moveY = 0] = list(transform['translate']).map(Number);
  return list(topology['arcs']).map((arc) => {
    let [x, y, length] = [0, 0, 0];
    let previous: Point | null = null;
    for (const step of list(arc)) {
      const [stepX = 0, stepY = 0] = list(step).map(Number);
      [x, y] = [x + stepX, y + stepY];
      const point: Point = [x * scaleX + moveX, y * scaleY + moveY];
      length += previous === null ? 0 : distanceKm(previous, point);
      previous = point;
    }
    return length;
  });
}
