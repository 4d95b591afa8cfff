/** Rows of a relation: filters, order, pages, and the row that is open. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Catalogue, RelationDetail } from '../../../server/answers.js';
import { ask, loadInformation, send } from '../api.js';
import { keyOf, pagesOf, readRequest, type View } from '../data-request.js';
import { Icon } from '../icon.js';
import { rowsOf, type JsonRow } from '../json.js';
import { Comment, ErrorBox, Show, Text, useLoaded } from '../parts.js';
import { addressOf, type Opened } from '../route.js';
import { RowPanel } from '../row/row-panel.js';
import { readColumns, saveColumns, type Columns } from './columns.js';
import { ColumnsMenu } from './columns-menu.js';
import { Count } from './count.js';
import { ExportMenu } from './export-menu.js';
import { FilterBar } from './filter-bar.js';
import { ImportPanel } from './import-panel.js';
import { Pager } from './pager.js';
import { RowGrid } from './row-grid.js';
import { Selection } from './selection.js';
import { useLive } from './use-live.js';
import { useSelection } from './use-selection.js';

interface TableProps {
  readonly catalogue: Catalogue;
  readonly schema: string;
  readonly name: string;
  readonly view: View;
  readonly opened: Opened | null;
}

export const askRelation = (schema: string, name: string, signal: AbortSignal): Promise<RelationDetail> =>
  ask<RelationDetail>({ kind: 'relation', schema, name }, { signal });

export function TableScreen({ catalogue, schema, name, view, opened }: TableProps): JSX.Element {
  const relation = useLoaded((signal) => askRelation(schema, name, signal), [schema, name]);
  return (
    <Show of={relation} title={name}>
      {(detail) => <Rows key={`${schema}.${name}`} {...{ catalogue, view, opened }} relation={detail} />}
    </Show>
  );
}

interface RowsProps extends Pick<TableProps, 'catalogue' | 'view' | 'opened'> {
  readonly relation: RelationDetail;
}

const NO_ROWS: readonly JsonRow[] = [];

function Rows({ catalogue, relation, view, opened }: RowsProps): JSX.Element {
  const { schema, name, privileges } = relation;
  const [changes, setChanges] = useState(0);
  const [columns, setColumns] = useState<Columns>(() => readColumns(schema, name));
  const [isLive, setLive] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const [said, setSaid] = useState('');
  /** A row without a key has no address. */
  const [shown, setShown] = useState<JsonRow | null>(null);
  const refresh = (): void => setChanges(changes + 1);
  const show = (next: View, open: Opened | null = null): void =>
    location.assign(addressOf({ screen: 'table', schema, name, view: next, opened: open }));
  const page = useLoaded(
    async (signal) => {
      const reply = await send(readRequest(relation, view, catalogue.schemas), { signal });
      const rows = rowsOf(reply.body);
      return { rows, ...pagesOf(relation, view, reply.headers, rows.length) };
    },
    [relation, JSON.stringify(view), changes],
  );
  const information = useLoaded(loadInformation, []);
  const live = useLive(isLive ? readRequest(relation, view, catalogue.schemas) : null);
  const read = page.state === 'loaded' ? page.value.rows : NO_ROWS;
  const rows = live.rows ?? read;
  const selected = useSelection(relation, rows);
  const onColumns = (changed: Columns): void => {
    saveColumns(schema, name, changed);
    setColumns(changed);
  };
  const close = (): void => {
    setShown(null);
    if (opened !== null) show(view);
  };
  const panel = shown === null ? opened : ({ kind: 'shown', row: shown } as const);
  return (
    <div class="screen">
      <Head relation={relation} />
      <div class="toolbar">
        <FilterBar
          relation={relation}
          view={view}
          onChange={(changed) => show({ ...view, ...changed, page: null })}
        />
        <span class="spread" />
        <div class="tools">
          <Count catalogue={catalogue} relation={relation} view={view} />
          <ColumnsMenu
            all={relation.columns.filter(({ select }) => select)}
            columns={columns}
            onChange={onColumns}
          />
          <ExportMenu {...{ catalogue, relation, view }} hidden={columns.hidden} />
          {privileges.insert && (
            <button type="button" onClick={() => setImporting(true)}>
              <Icon name="upload" /> Import
            </button>
          )}
          {information.state === 'loaded' && information.value.live && (
            <button type="button" aria-pressed={isLive} onClick={() => setLive(!isLive)}>
              Live
            </button>
          )}
          <button type="button" onClick={refresh}>
            <Icon name="refresh" /> Refresh
          </button>
          {privileges.insert && (
            <button type="button" class="primary" onClick={() => show(view, { kind: 'new' })}>
              Insert row
            </button>
          )}
        </div>
      </div>
      {selected.keys.length > 0 && (
        <Selection
          {...{ catalogue, relation }}
          keys={selected.keys}
          onClear={selected.clear}
          onDeleted={(report) => {
            setSaid(report);
            selected.clear();
            refresh();
          }}
        />
      )}
      {said !== '' && selected.keys.length === 0 && <p role="status">{said}</p>}
      {live.isLost && <p role="status">The connection is lost, and opened again. These rows may be old.</p>}
      {live.error !== null && <ErrorBox error={live.error} />}
      <Show of={page}>
        {({ next, previous }) => (
          <>
            {rows.length === 0 ? (
              <p class="empty">No rows. Filters or policies may leave them out.</p>
            ) : (
              <RowGrid
                {...{ relation, view, rows, columns, onColumns }}
                selection={selected.grid}
                onSort={(order) => show({ ...view, order, page: null })}
                onOpen={(row) => {
                  const key = keyOf(relation, row);
                  if (key === null) setShown(row);
                  else show(view, { kind: 'row', key });
                }}
              />
            )}
            <Pager view={view} rows={rows.length} next={next} previous={previous} onChange={show} />
          </>
        )}
      </Show>
      {panel !== null && (
        <RowPanel
          {...{ catalogue, relation }}
          opened={panel}
          onClose={close}
          onChanged={() => {
            refresh();
            close();
          }}
        />
      )}
      {isImporting && (
        <ImportPanel {...{ catalogue, relation }} onClose={() => setImporting(false)} onImported={refresh} />
      )}
    </div>
  );
}

function Head({ relation }: { readonly relation: RelationDetail }): JSX.Element {
  const { schema, name, kind, comment, rowSecurity } = relation;
  return (
    <header class="screen-head">
      <h1>
        <Text>{name}</Text> {kind !== 'table' && <span class="tag">{kind}</span>}
        {rowSecurity && (
          <a class="tag" href={addressOf({ screen: 'policies', schema, name })}>
            row security
          </a>
        )}
      </h1>
      <Comment>{comment}</Comment>
    </header>
  );
}
