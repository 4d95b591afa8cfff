import { expect } from 'chai';
import {
  closeDatabase,
  databaseOfServer,
  hasSeveralServers,
  openDatabase,
  openDatabases,
  serverAddress,
} from '../../../src/postgres/database.js';

describe('a database of several servers', () => {
  const database = openDatabase('postgresql://u:p@a:5432,a:5433,b/app', { poolSize: 1 });
  after(() => closeDatabase(database));

  it('has for each server a database of this server alone, which is made once', () => {
    for (const server of [
      { host: 'a', port: 5432 },
      { host: 'a', port: 5433 },
      { host: 'b', port: 5432 },
    ]) {
      const own = databaseOfServer(database, server);
      expect(own).not.to.equal(database);
      expect(serverAddress(own)).to.deep.equal(server);
      expect(hasSeveralServers(own)).to.equal(false);
      expect(databaseOfServer(database, server)).to.equal(own);
    }
    expect(hasSeveralServers(database)).to.equal(true);
  });

  it('has none for a server that it does not name', () => {
    expect(databaseOfServer(database, { host: 'a', port: 5434 })).to.equal(database);
    expect(databaseOfServer(database, { host: 'c', port: 5432 })).to.equal(database);
  });

  it('is opened as one database for each server', () => {
    const databases = openDatabases('postgresql://u:p@a:5432,a:5433/app', { poolSize: 1 });
    expect(databases.map(serverAddress)).to.deep.equal([
      { host: 'a', port: 5432 },
      { host: 'a', port: 5433 },
    ]);
  });
});
