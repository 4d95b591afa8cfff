/** What `dbr serve` and `dbr dev` say at their start: the faults that `dbr doctor` finds in the databases and the keys. */
import { type Addresses, type Settings } from '../../../../src/face.js';
import { settingsInDatabase } from '../inspected-database.js';
import type { Check } from './check.js';
import { databaseChecks, secretChecks } from './doctor.js';

/** A finding: the remedy is what ends it. */
export type StartFinding = Check & { readonly remedy: string };

/** Subjects whose warnings say that requests will be refused. */
const REFUSING = ['db-anon-role', 'jwt-secret'];

export async function startFindings(addresses: Addresses, given: Settings): Promise<readonly StartFinding[]> {
  const settings = await settingsInDatabase(addresses.data, given).catch(() => given);
  // The service does without the role of migrations, whose password it may not have.
  const checks = [
    ...(await databaseChecks({ ...addresses, ownsDatabase: false }, { ...settings, 'migrate-db-uri': null })),
    ...secretChecks(settings),
  ];
  const isNamed = ({ outcome, subject }: Check): boolean =>
    outcome === 'fault' || (outcome === 'warning' && REFUSING.includes(subject));
  // Areas of one database have the same fault.
  const found = checks.filter(isNamed).filter(({ message }, index, all) => {
    return all.findIndex((each) => each.message === message) === index;
  });
  return found.flatMap((check) => (check.remedy === null ? [] : [{ ...check, remedy: check.remedy }]));
}
