/** The servers that `db-replica-uri` names. */
import type { Replica } from '../replicas/replica.js';
import { readConnectionString } from '../postgres/connection-string.js';
import { openDatabases, serverAddress } from '../postgres/database.js';
import { StartError, withConnectionString } from './start-error.js';

type ReplicaDatabase = Pick<Replica, 'name' | 'database'>;

/**
 * @param uri a connection string of libpq; each of its hosts is one replica
 * @throws StartError if it is none, excludes standbys, or names a server twice
 */
export function openReplicaDatabases(uri: string): readonly ReplicaDatabase[] {
  // The parameter of the environment is that of `db-uri`, and does not apply to replicas.
  const environment = { ...process.env, PGTARGETSESSIONATTRS: undefined };
  const target = withConnectionString(
    'db-replica-uri',
    () => readConnectionString(uri, environment).hostChoice?.target,
  );
  if (target === 'read-write' || target === 'primary')
    throw new StartError('db-replica-uri', null, `target_session_attrs=${target} excludes all standbys`);
  const databases = withConnectionString('db-replica-uri', () => openDatabases(uri, { poolSize: 1 }));
  const seen = new Set<string>();
  return databases.map((database) => {
    const { host, port } = serverAddress(database);
    const name = `${host}:${String(port)}`;
    if (seen.has(name)) throw new StartError('db-replica-uri', null, 'a server is named twice');
    seen.add(name);
    return { name, database };
  });
}
