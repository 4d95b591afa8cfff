/** The policies of a relation in words, and why a caller does not see a row. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RelationDetail } from '../../server/answers.js';
import { ABSENT, valueOf, type Draft } from './fields/draft.js';
import { Field } from './fields/field.js';
import type { Json, JsonRow } from './json.js';
import { Comment, ErrorBox, Show, Text, useLoaded } from './parts.js';
import { tableAddress } from './route.js';
import { askRelation } from './table/table-screen.js';
import { PolicyInWords, VisibilityOf } from './visibility.js';

export function PoliciesScreen({
  schema,
  name,
}: {
  readonly schema: string;
  readonly name: string;
}): JSX.Element {
  const relation = useLoaded((signal) => askRelation(schema, name, signal), [schema, name]);
  return (
    <Show of={relation} title={name}>
      {(detail) => <Policies relation={detail} />}
    </Show>
  );
}

function Policies({ relation }: { readonly relation: RelationDetail }): JSX.Element {
  const { schema, name, policies, rowSecurity } = relation;
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>
          Policies of <Text>{name}</Text>
        </h1>
        <Comment>{relation.comment}</Comment>
        <a href={tableAddress(schema, name)}>Rows</a>
      </header>
      {!rowSecurity && (
        <p class="empty">This table has no row security: every role with a privilege uses every row.</p>
      )}
      <ul>
        {policies.map((policy) => (
          <PolicyInWords key={policy.name} policy={policy} />
        ))}
      </ul>
      {rowSecurity && <WhyNot relation={relation} />}
    </div>
  );
}

/** Takes the values of a row, which the caller may not see, and evaluates the policies on them. */
function WhyNot({ relation }: { readonly relation: RelationDetail }): JSX.Element {
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const [row, setRow] = useState<JsonRow | null>(null);
  const [error, setError] = useState<unknown>(null);
  const evaluate = (): void => {
    const values: Record<string, Json> = {};
    try {
      for (const column of relation.columns) {
        const value = valueOf(column, drafts[column.name] ?? ABSENT);
        if (value !== undefined) values[column.name] = value;
      }
      setError(null);
      setRow(values);
    } catch (reason) {
      setError(reason);
    }
  };
  return (
    <section class="narrow" aria-labelledby="why-not">
      <h2 id="why-not">Why is a row not visible?</h2>
      <p class="comment">
        Give what you know of the row, at least its key. PostgreSQL evaluates each term of the policies on
        these values, as the caller, in a transaction that is rolled back.
      </p>
      <form
        class="row-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          evaluate();
        }}
      >
        {relation.columns.map((column) => (
          <Field
            key={column.name}
            field={{ ...column, nullable: true }}
            draft={drafts[column.name] ?? ABSENT}
            onChange={(draft) => setDrafts({ ...drafts, [column.name]: draft })}
            absent="not given"
          />
        ))}
        <div class="actions">
          <button type="submit" class="primary">
            Evaluate
          </button>
        </div>
      </form>
      {error !== null && <ErrorBox error={error} />}
      {row !== null && <VisibilityOf relation={relation} row={row} />}
    </section>
  );
}
