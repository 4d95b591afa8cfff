/** What the table of commands and the tools know together: values of options, and files of a project. */

/** Levels of findings, the gravest first. */
export const LEVELS = ['error', 'warning', 'info'] as const;

/** Forms of the report of `dbr test`. */
export const REPORT_FORMATS = ['text', 'junit', 'tap'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export const CONFIG_FILE = 'dbr.conf';
export const MIGRATIONS_FOLDER = 'db/migrations';
export const TESTS_FOLDER = 'db/tests';
export const ROLES_FILE = 'roles.sql';
/** Findings of `dbr lint` that the project accepts. */
export const ACCEPTED_FILE = 'db/lint-accepted.txt';

export interface DescriptionRequest {
  /** `types`: in TypeScript. Otherwise the version of OpenAPI. */
  readonly form: 'types' | '3.1' | '3.2';
  /** Exposed schemas; empty for all of them, or for the first one in OpenAPI. */
  readonly schemas: readonly string[];
  /** The role whose privileges apply; null describes all objects. */
  readonly role: string | null;
}
