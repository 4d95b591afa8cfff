/** The schemas of the migrations, whose tables belong to the service. */
export const OWN_SCHEMAS: readonly string[] = [
  'dbr_notifications',
  'dbr_signing',
  'dbr_keys',
  'dbr_requests',
  'dbr_meta',
];
