/** One row: its values, the rows that it leads to, and why you see it. A new row has values alone. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Catalogue, RelationDetail } from '../../../server/answers.js';
import { send } from '../api.js';
import { keyOf, rowRequest } from '../data-request.js';
import { rowsOf, type JsonRow } from '../json.js';
import { Panel } from '../panel.js';
import { CopyButton, Show, Text, useLoaded } from '../parts.js';
import { VisibilityOf } from '../visibility.js';
import { Related } from './related.js';
import { RowForm } from './row-form.js';
import { Section } from './section.js';

/** A row by its key; as the list has it, where it has none; or a new one. */
export type OpenedRow =
  | { readonly kind: 'row'; readonly key: readonly string[] }
  | { readonly kind: 'shown'; readonly row: JsonRow }
  | { readonly kind: 'new' };

interface RowPanelProps {
  readonly catalogue: Catalogue;
  readonly relation: RelationDetail;
  readonly opened: OpenedRow;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

export function RowPanel({ catalogue, relation, opened, onClose, onChanged }: RowPanelProps): JSX.Element {
  const title = opened.kind === 'new' ? `New row of ${relation.name}` : `Row of ${relation.name}`;
  return (
    <Panel
      label={title}
      onClose={onClose}
      title={
        <>
          <Text>{title}</Text>{' '}
          {opened.kind === 'row' && (
            <small class="quiet">
              <Text>{opened.key.join(', ')}</Text>
            </small>
          )}
        </>
      }
      {...(opened.kind === 'row' ? { actions: <CopyButton label="Copy link" text={location.href} /> } : {})}
    >
      {opened.kind === 'row' ? (
        <LoadedRow
          key={JSON.stringify(opened.key)}
          {...{ catalogue, relation, onChanged }}
          rowKey={opened.key}
        />
      ) : (
        <RowForm
          {...{ catalogue, relation, onChanged }}
          row={opened.kind === 'new' ? null : opened.row}
          tag={null}
        />
      )}
      {opened.kind === 'shown' && <AroundRow {...{ catalogue, relation }} row={opened.row} />}
    </Panel>
  );
}

interface LoadedRowProps extends Pick<RowPanelProps, 'catalogue' | 'relation' | 'onChanged'> {
  readonly rowKey: readonly string[];
}

/** The row as it is now, with its entity tag, so that a write changes this version alone. */
function LoadedRow({ catalogue, relation, rowKey, onChanged }: LoadedRowProps): JSX.Element {
  const [readings, setReadings] = useState(0);
  const loaded = useLoaded(
    async (signal) => {
      const { body, headers } = await send(rowRequest(relation, rowKey, catalogue.schemas), { signal });
      return { row: rowsOf(body)[0] ?? null, tag: headers.get('ETag') };
    },
    [relation, readings],
  );
  return (
    <Show of={loaded}>
      {({ row, tag }) =>
        row === null ? (
          <p class="empty">No row has this key, or policies hide it from you.</p>
        ) : (
          <>
            <RowForm
              {...{ catalogue, relation, row, tag, onChanged }}
              onReadAgain={() => setReadings(readings + 1)}
            />
            <AroundRow key={JSON.stringify(keyOf(relation, row))} {...{ catalogue, relation, row }} />
          </>
        )
      }
    </Show>
  );
}

const AroundRow = ({
  catalogue,
  relation,
  row,
}: {
  readonly catalogue: Catalogue;
  readonly relation: RelationDetail;
  readonly row: JsonRow;
}): JSX.Element => (
  <>
    <Related catalogue={catalogue} relation={relation} row={row} />
    <Section title="Why do you see this row?">
      <VisibilityOf relation={relation} row={row} />
    </Section>
  </>
);
