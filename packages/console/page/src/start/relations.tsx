/** All tables and views of the role, with their estimated rows and sizes. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Catalogue, RelationNumbers } from '../../../server/answers.js';
import { sizeText } from '../fields/bytes.js';
import { byName } from '../menu/entries.js';
import { Comment, Text } from '../parts.js';
import { addressOf, tableAddress } from '../route.js';

type Summary = Catalogue['relations'][number] & Pick<RelationNumbers, 'rows' | 'bytes'>;

interface RelationsProps {
  readonly catalogue: Catalogue;
  readonly numbers: readonly RelationNumbers[];
}

const ORDERS = {
  name: (one: Summary, other: Summary) => byName(one.name, other.name),
  rows: (one: Summary, other: Summary) => (other.rows ?? -1) - (one.rows ?? -1),
  size: (one: Summary, other: Summary) => (other.bytes ?? -1) - (one.bytes ?? -1),
} as const;
type Order = keyof typeof ORDERS;

const nameOf = ({ schema, name }: { readonly schema: string; readonly name: string }): string =>
  JSON.stringify([schema, name]);

export function Relations({ catalogue, numbers }: RelationsProps): JSX.Element {
  const [order, setOrder] = useState<Order>('name');
  const known = new Map(numbers.map((each) => [nameOf(each), each]));
  const relations = catalogue.relations.map((each): Summary => {
    const { rows = null, bytes = null } = known.get(nameOf(each)) ?? {};
    return { ...each, rows, bytes };
  });
  return (
    <>
      {catalogue.schemas.map(({ name: schema, comment }) => {
        const own = relations.filter((each) => each.schema === schema).sort(ORDERS[order]);
        return (
          <section key={schema} class="relations">
            <h2>
              <Text>{schema}</Text>
            </h2>
            <Comment>{comment}</Comment>
            {own.length > 0 && <RelationTable schema={schema} {...{ relations: own, order, setOrder }} />}
          </section>
        );
      })}
    </>
  );
}

function RelationTable({
  schema,
  relations,
  order,
  setOrder,
}: {
  readonly schema: string;
  readonly relations: readonly Summary[];
  readonly order: Order;
  readonly setOrder: (order: Order) => void;
}): JSX.Element {
  const head = (name: Order, label: string): JSX.Element => (
    <th
      scope="col"
      class={name === 'name' ? '' : 'number'}
      {...(order === name ? { 'aria-sort': name === 'name' ? 'ascending' : 'descending' } : {})}
    >
      <button type="button" class="sort" onClick={() => setOrder(name)}>
        {label}
        <span aria-hidden="true">{order === name ? (name === 'name' ? ' ↑' : ' ↓') : ''}</span>
      </button>
    </th>
  );
  return (
    <table class="overview" aria-label={`Tables of ${schema}`}>
      <thead>
        <tr>
          {head('name', 'Name')}
          {head('rows', 'Rows, about')}
          {head('size', 'Size')}
          <th scope="col">Row security</th>
          <th scope="col">Comment</th>
        </tr>
      </thead>
      <tbody>
        {relations.map(({ name, kind, comment, rowSecurity, rows, bytes }) => (
          <tr key={name}>
            <th scope="row">
              <a href={tableAddress(schema, name)}>
                <Text>{name}</Text>
              </a>{' '}
              {kind !== 'table' && <span class="tag">{kind}</span>}
            </th>
            <td class="number">{rows === null ? '' : rows.toLocaleString('en')}</td>
            <td class="number">{bytes === null ? '' : sizeText(bytes)}</td>
            <td>
              {rowSecurity ? (
                <a href={addressOf({ screen: 'policies', schema, name })}>on</a>
              ) : (
                kind === 'table' && <span class="quiet">off</span>
              )}
            </td>
            <td class="about">
              <Text>{comment ?? ''}</Text>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
