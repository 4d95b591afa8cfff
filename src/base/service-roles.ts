/** Roles of the database that belong to the service itself. */

/** The roles to which the migrations grant the tables of the service. No request of a client runs as one of them. */
export const SERVICE_ROLES: readonly string[] = [
  'dbr_notifications_user',
  'dbr_notifications_producer',
  'dbr_notifications_system',
  'dbr_signing_service',
  'dbr_signing_sweeper',
  'dbr_erasure',
  'dbr_idempotency',
];
