/** Content negotiation of an operation with several media types (RFC 9110 §12.5.1). */

interface AcceptedRange {
  readonly range: string;
  readonly quality: number;
}

/**
 * Returns the offered media type that the client prefers; of equals, and without `Accept`, the first.
 * @returns null when the client accepts none of them
 */
export function preferredType<Offered extends string>(
  accept: string | undefined,
  offered: readonly [Offered, ...Offered[]],
): Offered | null {
  if (accept === undefined || accept.trim() === '') return offered[0];
  const ranges = accept.split(',').map(parseRange);
  let best: { readonly type: Offered; readonly quality: number } | null = null;
  for (const type of offered) {
    const quality = qualityIn(type, ranges);
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
  return best?.type ?? null;
}

function parseRange(text: string): AcceptedRange {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { range, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

/** The weight of a media type in the header `Accept`; 0 if it is not accepted. */
export const qualityOf = (type: string, accept: string): number =>
  qualityIn(type, accept.split(',').map(parseRange));

/** The most specific range that names the type decides. */
function qualityIn(type: string, ranges: readonly AcceptedRange[]): number {
  const [main = ''] = type.split('/');
  for (const candidate of [type, `${main}/*`, '*/*']) {
    const found = ranges.find(({ range }) => range === candidate);
    if (found !== undefined) return found.quality;
  }
  return 0;
}
