/** Imports the rows of a file: shows the first ones, asks which columns they are, and reports what was written. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Catalogue, RelationDetail } from '../../../server/answers.js';
import { send } from '../api.js';
import { Panel } from '../panel.js';
import { ErrorBox, Text } from '../parts.js';
import { RowList } from '../row/row-list.js';
import { readImport, type ImportedFile } from './import-file.js';
import { importRequest, mappingOf, refusedRow, type Mapping, type Resolution } from './import-request.js';

interface ImportPanelProps {
  readonly catalogue: Catalogue;
  readonly relation: RelationDetail;
  readonly onClose: () => void;
  readonly onImported: () => void;
}

/** Rows that are shown before they are imported. */
const PREVIEWED = 5;

const RESOLUTIONS: readonly (readonly [Resolution, string])[] = [
  ['refuse', 'is an error, and nothing is written'],
  ['ignore-duplicates', 'is left as it is'],
  ['merge-duplicates', 'gets the values of the file'],
];

const rowsText = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`;

export function ImportPanel({ catalogue, relation, onClose, onImported }: ImportPanelProps): JSX.Element {
  const [file, setFile] = useState<ImportedFile | null>(null);
  const [error, setError] = useState<unknown>(null);

  async function take(chosen: File | undefined): Promise<void> {
    setFile(null);
    setError(null);
    if (chosen === undefined) return;
    try {
      setFile(await readImport(chosen));
    } catch (reason) {
      setError(reason);
    }
  }

  return (
    <Panel
      label={`Import into ${relation.name}`}
      title={<Text>{`Import into ${relation.name}`}</Text>}
      onClose={onClose}
    >
      <p class="quiet">
        CSV with the names of the columns in its first line, a JSON array of objects, or a line of JSON a row.
        All rows are written in one transaction, or none.
      </p>
      <label class="file-choice">
        File{' '}
        <input
          type="file"
          accept=".csv,.json,.ndjson,.jsonl,text/csv,application/json"
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
      </label>
      {error !== null && <ErrorBox error={error} />}
      {file !== null && <Preview key={file.name} {...{ catalogue, relation, file, onImported }} />}
    </Panel>
  );
}

type Report =
  | { readonly kind: 'written'; readonly text: string }
  | { readonly kind: 'refused'; readonly error: unknown; readonly row: number | null };

function Preview({
  catalogue,
  relation,
  file,
  onImported,
}: Omit<ImportPanelProps, 'onClose'> & { readonly file: ImportedFile }): JSX.Element {
  const [mapping, setMapping] = useState<Mapping>(() => mappingOf(relation, file.names));
  const [resolution, setResolution] = useState<Resolution>('refuse');
  const [report, setReport] = useState<Report | null>(null);
  const [isSending, setSending] = useState(false);
  const taken = Object.values(mapping).filter((name) => name !== null);
  const twice = taken.find((name, index) => taken.indexOf(name) !== index);
  const missing = relation.columns
    .filter(
      ({ nullable, hasDefault, generated, name }) =>
        !nullable && !hasDefault && !generated && !taken.includes(name),
    )
    .map(({ name }) => name);

  async function run(): Promise<void> {
    const request = importRequest(relation, catalogue.schemas, file, mapping, resolution);
    setSending(true);
    setReport(null);
    try {
      const { headers } = await send(request);
      const written = Number(headers.get('Content-Range')?.split('/')[1] ?? file.rows.length);
      setReport({ kind: 'written', text: reportOf(written, file.rows.length) });
      onImported();
    } catch (error) {
      setReport({ kind: 'refused', error, row: refusedRow(error, request) });
    }
    setSending(false);
  }

  return (
    <>
      <h3>The first of {rowsText(file.rows.length)}</h3>
      <RowList rows={file.rows.slice(0, PREVIEWED)} />
      <h3>Columns</h3>
      <Columns relation={relation} mapping={mapping} onChange={setMapping} />
      {missing.length > 0 && (
        <p class="quiet">
          The file has no value of <b>{missing.join(', ')}</b>, which each row needs.
        </p>
      )}
      {relation.primaryKey.length > 0 && (
        <label class="resolution">
          A row whose key exists{' '}
          <select
            value={resolution}
            onChange={(event) =>
              setResolution(RESOLUTIONS.find(([name]) => name === event.currentTarget.value)?.[0] ?? 'refuse')
            }
          >
            {RESOLUTIONS.map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </label>
      )}
      {twice !== undefined && (
        <p role="alert">
          Two columns of the file are <b>{twice}</b>.
        </p>
      )}
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={isSending || taken.length === 0 || twice !== undefined || file.rows.length === 0}
          onClick={() => void run()}
        >
          {isSending ? 'Importing…' : `Import ${rowsText(file.rows.length)}`}
        </button>
      </div>
      {report?.kind === 'written' && (
        <p class="good" role="status">
          {report.text}
        </p>
      )}
      {report?.kind === 'refused' && (
        <>
          <ErrorBox error={report.error} />
          <p>Nothing was written.</p>
          {report.row !== null && file.rows[report.row] !== undefined && (
            <>
              <h3>Row {report.row + 1} of the file</h3>
              <RowList label="The row that was refused" rows={file.rows.slice(report.row, report.row + 1)} />
            </>
          )}
        </>
      )}
    </>
  );
}

const reportOf = (written: number, rows: number): string =>
  written === rows || Number.isNaN(written)
    ? `${rowsText(rows)} were imported.`
    : `${rowsText(written)} of ${rows.toLocaleString('en')} were written; the others were there already.`;

function Columns({
  relation,
  mapping,
  onChange,
}: {
  readonly relation: RelationDetail;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}): JSX.Element {
  const writable = relation.columns.filter(({ insert, generated }) => insert && !generated);
  return (
    <ul class="mapping">
      {Object.entries(mapping).map(([name, to]) => (
        <li key={name}>
          <span class={to === null ? 'quiet' : ''}>
            <Text>{name}</Text>
          </span>
          <select
            aria-label={`Column for ${name}`}
            value={to === null ? '' : `=${to}`}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...mapping, [name]: value === '' ? null : value.slice(1) })
            }
          >
            <option value="">left out</option>
            {writable.map((column) => (
              <option key={column.name} value={`=${column.name}`}>
                {column.name}
              </option>
            ))}
          </select>
        </li>
      ))}
    </ul>
  );
}
