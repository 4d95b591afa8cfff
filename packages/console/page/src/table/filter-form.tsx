/** Column, operator and value of one filter. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ColumnDetail, RelationDetail } from '../../../server/answers.js';
import { elementsOf, isArray } from '../fields/draft.js';
import { ListField } from '../fields/list-field.js';
import { operatorsOf, type Filter, type Operator } from '../filters.js';

interface FilterFormProps {
  readonly relation: RelationDetail;
  /** The filter that is changed; null for a new one. */
  readonly first: Filter | null;
  readonly onApply: (filter: Filter) => void;
  readonly onCancel: () => void;
}

/** A list with one empty element, in which one begins to type. */
const ONE_ELEMENT = '[""]';

export function FilterForm({ relation, first, onApply, onCancel }: FilterFormProps): JSX.Element {
  const columns = relation.columns.filter(({ select }) => select);
  const [column, setColumn] = useState(first?.column ?? columns[0]?.name ?? '');
  const found = columns.find(({ name }) => name === column);
  const operators = found === undefined ? [] : operatorsOf(found);
  const [operator, setOperator] = useState<string | null>(first?.operator ?? null);
  const [value, setValue] = useState(first?.value ?? '');
  const chosen = operators.find(({ name }) => name === operator) ?? operators[0];
  /** A text that was typed for a value of another kind is not a list. */
  const given = found !== undefined && isArray(found) && elementsOf(value) === null ? ONE_ELEMENT : value;
  return (
    <form
      class="filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen !== undefined)
          onApply({ column, operator: chosen.name, value: chosen.takesValue ? given : '' });
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      <select
        aria-label="Column"
        value={column}
        ref={(element) => {
          if (element !== null && document.activeElement === document.body) element.focus();
        }}
        onChange={(event) => {
          setColumn(event.currentTarget.value);
          setOperator(null);
        }}
      >
        {columns.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label="Operator"
        value={chosen?.name ?? ''}
        onChange={(event) => setOperator(event.currentTarget.value)}
      >
        {operators.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
      {chosen?.takesValue === true && found !== undefined && (
        <FilterValue column={found} operator={chosen} value={given} onChange={setValue} />
      )}
      <button type="submit" class="primary">
        Apply
      </button>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </form>
  );
}

function FilterValue({
  column,
  operator,
  value,
  onChange,
}: {
  readonly column: ColumnDetail;
  readonly operator: Operator;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): JSX.Element {
  if (isArray(column))
    return (
      <ListField
        label="Value"
        baseType={column.baseType}
        text={value}
        placeholder="no elements"
        onChange={onChange}
      />
    );
  if (column.enumLabels.length > 0 && operator.name !== 'in')
    return (
      <select aria-label="Value" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="" />
        {column.enumLabels.map((label) => (
          <option key={label} value={label}>
            {label}
          </option>
        ))}
      </select>
    );
  return (
    <input
      aria-label="Value"
      value={value}
      placeholder={operator.name === 'in' ? 'one, two' : ''}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}
