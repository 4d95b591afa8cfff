/** A function with a form for its arguments, and its result. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Catalogue, FunctionSummary } from '../../server/answers.js';
import { send } from './api.js';
import { profileOf } from './data-request.js';
import { ABSENT, valueOf, type Draft, type FieldType } from './fields/draft.js';
import { Field } from './fields/field.js';
import { isObject, rowsOf, type Json } from './json.js';
import { Code, Comment, ErrorBox, Text } from './parts.js';
import type { ApiRequest } from './request.js';
import { RowList } from './row/row-list.js';

export function FunctionScreen({
  catalogue,
  schema,
  name,
}: {
  readonly catalogue: Catalogue;
  readonly schema: string;
  readonly name: string;
}): JSX.Element {
  const found = catalogue.functions.filter((each) => each.schema === schema && each.name === name);
  if (found.length === 0)
    return (
      <div class="screen">
        <h1>
          <Text>{name}</Text>
        </h1>
        <p class="empty">The role may not call a function of this name.</p>
      </div>
    );
  return (
    <div class="screen">
      {found.map((each, index) => (
        <FunctionForm key={index} catalogue={catalogue} of={each} />
      ))}
    </div>
  );
}

const fieldOf = ({ name, type, required, enumLabels }: FunctionSummary['parameters'][number]): FieldType => ({
  name: name === '' ? 'body' : name,
  type: required ? type : `${type}, optional`,
  isRequired: required,
  baseType: type,
  enumLabels,
  nullable: true,
  comment: null,
});

function FunctionForm({
  catalogue,
  of,
}: {
  readonly catalogue: Catalogue;
  readonly of: FunctionSummary;
}): JSX.Element {
  const { schema, name, parameters, volatility, returns } = of;
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const [result, setResult] = useState<{ readonly body: Json | undefined } | null>(null);
  const [error, setError] = useState<unknown>(null);

  async function call(): Promise<void> {
    setError(null);
    try {
      const body: Record<string, Json> = {};
      for (const parameter of parameters) {
        const value = valueOf(fieldOf(parameter), drafts[parameter.name] ?? ABSENT);
        if (value !== undefined) body[parameter.name] = value;
      }
      setResult(await send(requestOf(of, body, catalogue)));
    } catch (reason) {
      setResult(null);
      setError(reason);
    }
  }

  return (
    <section aria-label={name}>
      <header class="screen-head">
        <h1>
          <Text>{name}</Text> <span class="tag">{volatility}</span>
        </h1>
        <Comment>{of.comment}</Comment>
        <p class="quiet">
          in <Text>{schema}</Text>, returns <Text>{returns}</Text>
        </p>
      </header>
      <form
        class="row-form narrow"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void call();
        }}
      >
        {parameters.map((parameter) => (
          <Field
            key={parameter.name}
            field={fieldOf(parameter)}
            draft={drafts[parameter.name] ?? ABSENT}
            onChange={(draft) => setDrafts({ ...drafts, [parameter.name]: draft })}
            absent={parameter.required ? '' : 'default'}
          />
        ))}
        <div class="actions">
          <button type="submit" class="primary">
            Call
          </button>
        </div>
      </form>
      {error !== null && <ErrorBox error={error} />}
      {result !== null && <Result body={result.body} />}
    </section>
  );
}

/** `GET` takes some texts for filters, and some names for parameters. A parameter without a name is the whole body. */
function requestOf(
  { schema, name }: FunctionSummary,
  body: Readonly<Record<string, Json>>,
  { schemas }: Catalogue,
): ApiRequest {
  return {
    method: 'POST',
    path: `/rpc/${encodeURIComponent(name.toWellFormed())}`,
    headers: profileOf(schema, schemas, 'POST'),
    body: body[''] ?? body,
  };
}

function Result({ body }: { readonly body: Json | undefined }): JSX.Element {
  const rows = rowsOf(body);
  const isRows = rows.length > 0 && (isObject(body) || (Array.isArray(body) && body.length === rows.length));
  return (
    <div class="result" role="status">
      <h2>Result</h2>
      {isRows ? (
        <RowList rows={rows} />
      ) : (
        <Code label="Result" text={body === undefined ? 'no content' : JSON.stringify(body, null, 2)} />
      )}
    </div>
  );
}
