/** The role of users for the tokens of `dbr token`. */
import { SAMPLE_ROLE, type Sources, userRole } from '../../../src/face.js';
import { withInspected } from './inspected-database.js';

/** The role of users in the database of the settings. @throws Error without a database; the errors of the database */
export const userRoleOf = (sources: Sources): Promise<string | null> =>
  withInspected(sources, async ({ data, ownsDatabase }, settings) =>
    // The authenticator of the sample data has several roles.
    ownsDatabase && settings['sample-database'] ? SAMPLE_ROLE : userRole(data, settings['db-anon-role']),
  );
