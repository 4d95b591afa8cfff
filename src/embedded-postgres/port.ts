import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';

/**
 * Chooses the loopback port of a server: the given port, else the port of the last start if it is free (clients of
 * the database then keep their address), else a free port, which is stored for the next start.
 */
export async function choosePort(portFile: string, wanted: number | undefined): Promise<number> {
  if (wanted !== undefined) return wanted;
  const kept = Number(await readFile(portFile, 'utf8').catch(() => '0'));
  if (Number.isInteger(kept) && kept > 0 && kept < 65_536 && (await tryPort(kept)) !== null) return kept;
  const free = (await tryPort(0)) ?? 0;
  await writeFile(portFile, `${String(free)}\n`);
  return free;
}

/** Listens at a port and closes it again; 0 requests any free port. Returns null if the port is taken. */
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
