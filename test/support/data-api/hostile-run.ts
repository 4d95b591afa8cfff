/** Sends hostile requests to a service on a server that logs every statement, and returns the outcome. */
import { readFile } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { CANARY, hostileRequests, type HostileRequest } from './hostile-queries.js';

export const HOSTILE_SCHEMA = `
  create role hostile_anon nologin;
  create table public.directors (id int primary key, name text not null);
  create table public.films (
    id int primary key, title text not null, year int, tags text[], details jsonb, "odd ""name" text,
    director_id int references public.directors
  );
  create table public.roles (id int primary key, film_id int references public.films, name text);
  create view public.films_view as select * from public.films;
  create function public.films_of(year int) returns setof public.films language sql stable
    return (select f from public.films f where f.year = films_of.year limit 1);
  insert into public.directors select g, 'Director ' || g from generate_series(1, 20) g;
  insert into public.films select g, 'Film ' || g, 1950 + g, array['a', 'b'], '{"a": "x", "b": [1]}', null, 1 + g % 20 from generate_series(1, 50) g;
  insert into public.roles select g, 1 + g % 50, 'Role ' || g from generate_series(1, 100) g;
  grant select on all tables in schema public to hostile_anon;
`;

export interface HostileOutcome {
  readonly statuses: ReadonlyMap<number, number>;
  /** Responses of 500 and above, except the codes that the contract maps there: limits of PostgreSQL (54…, 57014). */
  readonly failures: readonly {
    readonly request: HostileRequest;
    readonly status: number;
    readonly body: string;
  }[];
}

const CONCURRENCY = 16;
const DOCUMENTED = /"code":"(54\d{3}|57014)"/;

export async function runHostile(url: string, seed: number, count: number): Promise<HostileOutcome> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const { hostname, port } = new URL(url);
  const statuses = new Map<number, number>();
  const failures: { request: HostileRequest; status: number; body: string }[] = [];
  const requests = hostileRequests(seed, count);
  const worker = async (): Promise<void> => {
    for (const request of requests) {
      const { status, body } = await send(agent, hostname, Number(port), request);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500 && !DOCUMENTED.test(body)) failures.push({ request, status, body });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  agent.destroy();
  return { statuses, failures };
}

function send(
  agent: Agent,
  host: string,
  port: number,
  { method, target, headers }: HostileRequest,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ agent, host, port, method, path: target, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.on('error', reject);
    request.end();
  });
}

/**
 * The statements in a server log that hold the canary. Statement texts end where the next log line begins; parameters
 * are not logged (log_parameter_max_length = 0), and errors may quote a value, which is no statement.
 */
export async function statementsWithValues(logFile: string): Promise<readonly string[]> {
  const entries = (await readFile(logFile, 'utf8')).split(/\n(?=\d{4}-\d{2}-\d{2} )/);
  return entries.filter(
    (entry) =>
      /(statement|execute [^:]*|STATEMENT): /.test(entry) &&
      !/ ERROR: /.test(entry) &&
      entry.includes(CANARY),
  );
}
