/** Saves all rows of the view as a file. The rows are streamed, so that their number has no bound. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Catalogue, RelationDetail } from '../../../server/answers.js';
import { open, readJson } from '../api.js';
import { exportRequest, type FileFormat, type View } from '../data-request.js';
import { sizeText } from '../fields/bytes.js';
import { Icon } from '../icon.js';
import { ErrorBox } from '../parts.js';
import { Popover } from '../popover.js';
import { saveFile } from '../save-file.js';
import { exportedFile } from './export-file.js';

interface ExportMenuProps {
  readonly catalogue: Catalogue;
  readonly relation: RelationDetail;
  readonly view: View;
  readonly hidden: readonly string[];
}

export function ExportMenu({ catalogue, relation, view, hidden }: ExportMenuProps): JSX.Element {
  /** Bytes so far; null while nothing is exported. */
  const [bytes, setBytes] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);

  async function run(format: FileFormat): Promise<void> {
    const abort = new AbortController();
    running.current = abort;
    setBytes(0);
    setError(null);
    setSaid('');
    try {
      const request = exportRequest(relation, view, catalogue.schemas, hidden, format);
      const response = await open(request, { signal: abort.signal });
      if (!response.ok) await readJson(response);
      const file = await exportedFile(response, format, setBytes);
      const name = `${relation.name}.${format}`;
      saveFile(name, file);
      setSaid(`${name} has ${sizeText(file.size)}.`);
    } catch (reason) {
      if (!abort.signal.aborted) setError(reason);
    }
    setBytes(null);
  }

  return (
    <Popover
      title="Export"
      label={
        <>
          <Icon name="download" /> Export
        </>
      }
    >
      {() => (
        <>
          <p>
            All rows of this view
            {view.filters.length > 0 && ', with its filters'}
            {hidden.length > 0 && ', with the columns that are shown'}.
          </p>
          <div class="actions">
            <button type="button" disabled={bytes !== null} onClick={() => void run('csv')}>
              CSV
            </button>
            <button type="button" disabled={bytes !== null} onClick={() => void run('json')}>
              JSON
            </button>
            {bytes !== null && (
              <button type="button" onClick={() => running.current?.abort()}>
                Stop
              </button>
            )}
          </div>
          <p role="status">{bytes === null ? said : `${sizeText(bytes)} so far`}</p>
          {error !== null && <ErrorBox error={error} />}
        </>
      )}
    </Popover>
  );
}
