/** The last requests of the page, newest first. */
import type { JSX } from 'preact';
import { publicPath, type Sent } from '../api.js';

interface RequestListProps {
  readonly requests: readonly Sent[];
  /** Identifier of the one that is shown. */
  readonly shown: number;
  readonly onChoose: (id: number) => void;
}

export const RequestList = ({ requests, shown, onChoose }: RequestListProps): JSX.Element => (
  <ol class="request-list" aria-label="Last requests">
    {requests.map(({ id, at, request, status, milliseconds }) => (
      <li key={id}>
        <button
          type="button"
          {...(id === shown ? { 'aria-current': 'true' } : {})}
          title={publicPath(request)}
          onClick={() => onChoose(id)}
        >
          <span class={`status ${status < 400 ? 'good' : 'bad'}`}>{status}</span>
          <b>{request.method}</b>
          <span class="target">{publicPath(request)}</span>
          <small class="quiet">
            {milliseconds.toFixed(0)} ms, {at.toLocaleTimeString('en-GB')}
          </small>
        </button>
      </li>
    ))}
  </ol>
);
