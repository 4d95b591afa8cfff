import { expect } from 'chai';
import {
  createServiceProcesses,
  tokenOf,
  type OneOfMany,
  type ServiceProcesses,
} from '../../support/service/service-processes.js';
import { until } from '../../support/until.js';
import { createSigningAccount } from '../../support/signing/signing-account.js';

/** What each condition of PostgreSQL gives to the caller; the text that `raise` adds in `detail` goes nowhere. */
const CASES = [
  {
    sqlstate: '53100',
    status: 503,
    message: 'could not extend file "base/1/2": No space left on device',
    hint: 'Check free disk space.',
    shown: true,
  },
  { sqlstate: '40P01', status: 503, message: 'deadlock detected', hint: null, shown: true },
  { sqlstate: '58030', status: 500, message: 'could not write to file', hint: null, shown: true },
  { sqlstate: '22P02', status: 500, message: 'invalid input syntax: "a value"', hint: null, shown: false },
] as const;

describe('a refusal of PostgreSQL in the areas of the service', function () {
  this.timeout(60_000);
  let processes: ServiceProcesses;
  let service: OneOfMany;
  let account: string;
  before(async () => {
    processes = await createServiceProcesses();
    service = await processes.start();
    account = await createSigningAccount(service);
    await processes.database.superuser.multi(`
      create table public.condition (sqlstate text, message text, hint text);
      create function public.refuse() returns trigger language plpgsql security definer as $$
        declare chosen public.condition;
        begin
          select * into chosen from public.condition;
          if chosen.hint is null then
            raise using errcode = chosen.sqlstate, message = chosen.message, detail = 'the secret of a row';
          end if;
          raise using errcode = chosen.sqlstate, message = chosen.message,
            detail = 'the secret of a row', hint = chosen.hint;
        end $$;
      create trigger refuse before insert on dbr_notifications.user_notifications
        for each row execute function public.refuse();
      create trigger refuse before insert on dbr_signing.signing_sessions
        for each row execute function public.refuse();`);
  });
  after(() => processes.drop());

  for (const { sqlstate, status, message, hint, shown } of CASES)
    it(`${sqlstate} is ${String(status)}, and the log has its code and text`, async () => {
      await processes.database.superuser.none(
        'truncate public.condition; insert into public.condition values ($1, $2, $3)',
        [sqlstate, message, hint],
      );
      const token = await tokenOf({ sub: 'ann', scope: 'notifications:write' });
      const calls = [
        ['/api/v1/notifications', { userIds: ['u1'], type: 'test.event', title: 'A title' }],
        [`/accounts/${account}/signing-sessions`, { messageDigest: '9f'.repeat(32) }],
      ] as const;
      for (const [path, body] of calls) {
        const before = service.output().length;
        const response = await fetch(service.url + path, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        });
        expect([path, response.status]).to.deep.equal([path, status]);
        expect(response.headers.get('retry-after')).to.equal(status === 503 ? '1' : null);
        expect(await response.json()).to.deep.equal(
          shown
            ? { code: sqlstate, message, details: null, hint }
            : { code: 'DBR413', message: 'Internal error', details: null, hint: null },
        );
        const logged = (): string => service.output().slice(before);
        await until(
          () => logged().includes(sqlstate) && logged().includes(JSON.stringify(message).slice(1, -1)),
        );
        expect(logged()).not.to.contain('secret');
      }
    });
});
