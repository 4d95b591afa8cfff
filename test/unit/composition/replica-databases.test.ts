import { expect } from 'chai';
import { openReplicaDatabases } from '../../../src/composition/replica-databases.js';
import { StartError } from '../../../src/composition/start-error.js';

describe('the servers of db-replica-uri', () => {
  const names = (uri: string): readonly string[] => openReplicaDatabases(uri).map(({ name }) => name);

  it('are its hosts, whichever of them target_session_attrs includes', () => {
    for (const target of ['', '?target_session_attrs=any', '?target_session_attrs=standby'])
      expect(names(`postgresql://user@db2:5433,db3:5434/app${target}`), target).to.deep.equal([
        'db2:5433',
        'db3:5434',
      ]);
    expect(names('postgresql://user@db2:5433/app?target_session_attrs=read-only')).to.deep.equal([
      'db2:5433',
    ]);
  });

  it('are standbys: a target that excludes these is refused, also for one host', () => {
    for (const hosts of ['db2', 'db2,db3'])
      for (const target of ['read-write', 'primary'])
        expect(() => names(`postgresql://user@${hosts}/app?target_session_attrs=${target}`)).to.throw(
          StartError,
          `db-replica-uri: target_session_attrs=${target} excludes all standbys`,
        );
  });

  it('are named once each', () => {
    expect(() => names('postgresql://user@db2:5433,db3,db2:5433/app')).to.throw(
      StartError,
      'db-replica-uri: a server is named twice',
    );
    expect(names('host=db2,db2 port=5433,5434 user=x')).to.deep.equal(['db2:5433', 'db2:5434']);
  });

  it('come from a connection string', () => {
    expect(() => names('postgresql://user@db2/app?nothing=1')).to.throw(StartError, 'db-replica-uri: ');
  });
});
