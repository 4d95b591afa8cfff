/** The number of all rows of a view, counted when it is asked for. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Catalogue, RelationDetail } from '../../../server/answers.js';
import { send } from '../api.js';
import { countRequest, type View } from '../data-request.js';
import { ErrorBox } from '../parts.js';

export function Count({
  catalogue,
  relation,
  view,
}: {
  readonly catalogue: Catalogue;
  readonly relation: RelationDetail;
  readonly view: View;
}): JSX.Element {
  const shape = JSON.stringify([view.filters, view.match]);
  const [counted, setCounted] = useState<{ readonly shape: string; readonly text: string } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const count = async (): Promise<void> => {
    try {
      const { headers } = await send(countRequest(relation, view, catalogue.schemas));
      const total = headers.get('Content-Range')?.split('/')[1] ?? '*';
      setCounted({ shape, text: `${Number(total).toLocaleString('en')} rows in all` });
      setError(null);
    } catch (reason) {
      setError(reason);
    }
  };
  if (error !== null) return <ErrorBox error={error} />;
  return counted?.shape === shape ? (
    <span class="quiet" role="status">
      {counted.text}
    </span>
  ) : (
    <button type="button" onClick={() => void count()}>
      Count
    </button>
  );
}
