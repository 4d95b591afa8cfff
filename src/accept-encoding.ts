/** Negotiation of the content coding of a response (RFC 9110 §12.5.3). */

/** Codings that dbr writes, the preferred one first. */
export type ContentCoding = 'br' | 'gzip';

/**
 * Returns the coding of `offered` with the greatest weight in the header; of equal weights, the one offered first.
 * @param header `Accept-Encoding`; undefined selects the identity coding
 * @returns null for the identity coding
 */
export function acceptedCoding(
  header: string | undefined,
  offered: readonly ContentCoding[],
): ContentCoding | null {
  if (header === undefined || header === '') return null;
  const weights = weightsOf(header);
  let best: { readonly coding: ContentCoding; readonly weight: number } | null = null;
  for (const coding of offered) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    if (weight > (best?.weight ?? 0)) best = { coding, weight };
  }
  // A client may prefer the identity coding.
  return best === null || (weights.get('identity') ?? 0) > best.weight ? null : best.coding;
}

function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const given = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = given === undefined ? 1 : Number(given.slice(2));
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, weight >= 0 && weight <= 1 ? weight : 0);
  }
  return weights;
}
