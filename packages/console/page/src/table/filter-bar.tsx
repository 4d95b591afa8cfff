/** The filters of a view: each can be changed and removed, and a row fulfils all of them or one. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RelationDetail } from '../../../server/answers.js';
import type { View } from '../data-request.js';
import { operatorsOf, type Filter } from '../filters.js';
import { Icon } from '../icon.js';
import { Text } from '../parts.js';
import { FilterForm } from './filter-form.js';

interface FilterBarProps {
  readonly relation: RelationDetail;
  readonly view: View;
  readonly onChange: (view: Pick<View, 'filters' | 'match'>) => void;
}

export function FilterBar({ relation, view: { filters, match }, onChange }: FilterBarProps): JSX.Element {
  /** The place of the filter that is changed; the next one for a new one. */
  const [edited, setEdited] = useState<number | null>(null);
  const form = (place: number): JSX.Element => (
    <FilterForm
      key={place}
      relation={relation}
      first={filters[place] ?? null}
      onCancel={() => setEdited(null)}
      onApply={(filter) => {
        setEdited(null);
        onChange({ match, filters: filters.toSpliced(place, 1, filter) });
      }}
    />
  );
  return (
    <div class="filters" role="group" aria-label="Filters">
      {filters.length > 1 && (
        <select
          aria-label="A row fulfils"
          value={match}
          onChange={(event) =>
            onChange({ filters, match: event.currentTarget.value === 'any' ? 'any' : 'all' })
          }
        >
          <option value="all">all of</option>
          <option value="any">one of</option>
        </select>
      )}
      {filters.map((filter, index) =>
        index === edited ? (
          form(index)
        ) : (
          <span class="chip" key={`${filter.column} ${filter.operator} ${filter.value}`}>
            <button
              type="button"
              class="chip-text"
              title="Change this filter"
              onClick={() => setEdited(index)}
            >
              <Text>{filter.column}</Text> <i>{labelOf(relation, filter)}</i> <Text>{filter.value}</Text>
            </button>
            <button
              type="button"
              class="icon"
              aria-label={`Remove the filter of ${filter.column}`}
              onClick={() => onChange({ match, filters: filters.filter((_, place) => place !== index) })}
            >
              <Icon name="close" />
            </button>
          </span>
        ),
      )}
      {edited === filters.length ? (
        form(filters.length)
      ) : (
        <button type="button" onClick={() => setEdited(filters.length)}>
          Add filter
        </button>
      )}
    </div>
  );
}

function labelOf({ columns }: RelationDetail, { column, operator }: Filter): string {
  const found = columns.find(({ name }) => name === column);
  return (found && operatorsOf(found).find(({ name }) => name === operator)?.label) ?? operator;
}
