/**
 * The target of a request in origin-form: path and query (RFC 9112 §3.2.1). Clients of proxies send the absolute form, whose
 * authority says the same as the Host header (§3.2.2).
 */
export function originForm(target: string): string {
  if (target.charCodeAt(0) === SLASH) return target;
  const rest = ABSOLUTE.exec(target)?.[1];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

const SLASH = 0x2f;
const ABSOLUTE = /^https?:\/\/[^/?#]*(.*)$/is;
