import type { DbrError } from '../errors/dbr-error.js';
import type { InspectionReply } from './answers.js';

/** The reply to an error, in the form of the data API. */
export const errorReply = ({ status, code, message, details, hint }: DbrError): InspectionReply => ({
  status,
  body: JSON.stringify({ code, message, details, hint }),
});
