/** What the console asks about the database, as it passes through the service and between its processes. */
import type { DbrError } from '../errors/dbr-error.js';

/** One request of the console, with the token of its user. Its rights are those of the token. */
export interface Inspection {
  /** Value of `Authorization`; null for an anonymous request. */
  readonly authorization: string | null;
  /** The console reads it where it answers. */
  readonly question: unknown;
}

/** An HTTP status and a body of JSON. */
export interface InspectionReply {
  readonly status: number;
  readonly body: string;
}

/** The reply to an error, in the form of the data API. */
export const errorReply = ({ status, code, message, details, hint }: DbrError): InspectionReply => ({
  status,
  body: JSON.stringify({ code, message, details, hint }),
});
