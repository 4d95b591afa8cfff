/** Dates of HTTP (RFC 9110 §5.6.7), in the form that senders must use. */

const FORM = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Returns milliseconds since 1970; null for no date, and for a text that is none. */
export function httpDate(text: string | undefined): number | null {
  const trimmed = text?.trim();
  if (trimmed === undefined || !FORM.test(trimmed)) return null;
  const time = Date.parse(trimmed);
  return Number.isNaN(time) ? null : time;
}
