/** The rows that foreign keys lead to, opened in place. */
import type { JSX } from 'preact';
import type { Catalogue, ForeignKey, RelationDetail } from '../../../server/answers.js';
import { send } from '../api.js';
import { profileOf, referenceFilters } from '../data-request.js';
import { filterPair } from '../filters.js';
import { rowsOf, type JsonRow } from '../json.js';
import { pathOf } from '../names.js';
import { Show, Text, useLoaded } from '../parts.js';
import { tableAddress } from '../route.js';
import { RowList } from './row-list.js';
import { Section } from './section.js';

interface RelatedProps {
  readonly catalogue: Catalogue;
  readonly relation: RelationDetail;
  readonly row: JsonRow;
}

export function Related({ catalogue, relation, row }: RelatedProps): JSX.Element | null {
  const keys = [...relation.references, ...relation.referencedBy];
  /** The columns of the foreign key, whichever side has it. */
  const foreignColumns = (key: ForeignKey): readonly string[] =>
    relation.references.includes(key) ? key.columns : key.otherColumns;
  if (keys.length === 0) return null;
  return (
    <div class="related">
      <h3>Related rows</h3>
      {keys.map((key) => {
        const filters = referenceFilters(key.columns, key.otherColumns, row);
        return filters === null ? null : (
          <Section
            key={`${key.constraint} ${key.name}`}
            title={
              <>
                <Text>{key.name}</Text> <span class="quiet">by {foreignColumns(key).join(', ')}</span>
              </>
            }
          >
            <Embedded catalogue={catalogue} foreignKey={key} row={row} />
          </Section>
        );
      })}
    </div>
  );
}

const EMBEDDED_ROWS = 10;

function Embedded({
  catalogue,
  foreignKey,
  row,
}: {
  readonly catalogue: Catalogue;
  readonly foreignKey: ForeignKey;
  readonly row: JsonRow;
}): JSX.Element {
  const { schema, name, columns, otherColumns } = foreignKey;
  const filters = referenceFilters(columns, otherColumns, row) ?? [];
  const loaded = useLoaded(
    (signal) =>
      send(
        {
          method: 'GET',
          path: pathOf(name),
          query: [...filters.map((filter) => filterPair(filter)), ['limit', EMBEDDED_ROWS]],
          headers: profileOf(schema, catalogue.schemas, 'GET'),
        },
        { signal },
      ),
    [foreignKey, row],
  );
  return (
    <Show of={loaded}>
      {({ body }) => {
        const rows = rowsOf(body);
        return (
          <>
            {rows.length === 0 ? <p class="quiet">No rows that you may see.</p> : <RowList rows={rows} />}
            <a href={tableAddress(schema, name, { filters })}>
              {rows.length === EMBEDDED_ROWS ? `The first ${String(EMBEDDED_ROWS)} rows; open all` : 'Open'}{' '}
              in <Text>{name}</Text>
            </a>
          </>
        );
      }}
    </Show>
  );
}
