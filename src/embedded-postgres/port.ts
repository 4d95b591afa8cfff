import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';

/**
 * The loopback port to start a server on: the wanted one, else the one kept from last time where it is still free
 * (so that a client of the database finds it again), else any free one, which is kept from now on.
 */
export async function choosePort(portFile: string, wanted: number | undefined): Promise<number> {
  if (wanted !== undefined) return wanted;
  const kept = Number(await readFile(portFile, 'utf8').catch(() => '0'));
  if (Number.isInteger(kept) && kept > 0 && kept < 65_536 && (await tryPort(kept)) !== null) return kept;
  const free = (await tryPort(0)) ?? 0;
  await writeFile(portFile, `${String(free)}\n`);
  return free;
}

/** Listens for a moment; 0 asks the system for any free port. Null when the port is taken. */
async function tryPort(port: number): Promise<number | null> {
  const server = createServer().listen({ port, host: '127.0.0.1', exclusive: true });
  try {
    await once(server, 'listening');
  } catch {
    return null;
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address !== null && typeof address === 'object' ? address.port : null;
}
