/** A form for the request of an operation, the same request as commands, and its response. */
import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { curlOf } from '../../console/page/src/commands.js';
import { textOf } from '../../console/page/src/json.js';
import { Code, ErrorBox, Text } from '../../console/page/src/parts.js';
import {
  jsonOf,
  listOf,
  mediaTypesOf,
  parametersOf,
  resolve,
  type MediaType,
  type Operation,
  type Parameter,
} from './description.js';
import { clientOf, firstValues, keyOf, requestOf, sampleOf, type Outgoing } from './outgoing.js';
import { addressOfRequest, open, readable, type Caller } from './request.js';
import { SectionHead } from './section-head.js';

interface TryProps {
  readonly caller: Caller;
  readonly operation: Operation;
}

/** The headers that the form has no field for: the schema is chosen for the whole page. */
const PROFILES = ['Accept-Profile', 'Content-Profile'];

export function Try({ caller, operation }: TryProps): JSX.Element {
  const { document, isOfDatabase } = operation;
  const parameters = parametersOf(operation).filter(({ name }) => !(isOfDatabase && PROFILES.includes(name)));
  const types = mediaTypesOf(document, resolve(document, operation.value['requestBody']));
  const [values, setValues] = useState(() => firstValues(operation, parameters));
  const [type, setType] = useState(jsonOf(types) ?? types[0]);
  const [body, setBody] = useState(() => sampleOf(operation, type));
  const request = requestOf(caller.schema, operation, parameters, values, type, body);
  const fields = (of: readonly Parameter[]): readonly JSX.Element[] =>
    of.map((parameter) => (
      <ParameterField
        key={keyOf(parameter)}
        operation={operation}
        parameter={parameter}
        value={values[keyOf(parameter)] ?? ''}
        onChange={(value) => setValues({ ...values, [keyOf(parameter)]: value })}
      />
    ));
  const filters = parameters.filter(({ isFilter }) => isFilter);
  return (
    <section aria-label="Try it">
      <SectionHead name="try" title="Try it" />
      <Exchange caller={caller} request={request}>
        {fields(parameters.filter(({ isFilter }) => !isFilter))}
        {filters.length > 0 && (
          <details open={operation.method === 'PATCH' || operation.method === 'DELETE'}>
            <summary>Filters by column</summary>
            <div class="row-form">{fields(filters)}</div>
          </details>
        )}
        {type !== undefined && (
          <BodyField
            types={types}
            type={type}
            body={body}
            onType={(chosen) => {
              setType(chosen);
              setBody(sampleOf(operation, chosen));
            }}
            onBody={setBody}
          />
        )}
      </Exchange>
      <SectionHead name="command" title="As a command" />
      <Code
        label="curl"
        text={curlOf({
          ...request,
          address: addressOfRequest(caller, request),
          hasToken: caller.token !== '',
        })}
      />
      <SectionHead name="client" title="With a typed client" />
      <Code label="Typed client" text={clientOf(operation, parameters, values, request)} />
    </section>
  );
}

function ParameterField({
  operation: { document },
  parameter,
  value,
  onChange,
}: {
  readonly operation: Operation;
  readonly parameter: Parameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): JSX.Element {
  const id = useId();
  const { name, in: place, required, schema, example, isFilter } = parameter;
  const labels = listOf(resolve(document, schema)['enum']).map(textOf);
  return (
    <div class="field">
      <label for={id}>
        <Text>{name}</Text>
      </label>
      <span class="type">{required ? `${place}, required` : place}</span>
      <div class="field-input">
        {labels.length > 0 ? (
          <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
            <option value="" />
            {labels.map((label) => (
              <option key={label} value={label}>
                {label}
              </option>
            ))}
          </select>
        ) : (
          <input
            id={id}
            value={value}
            required={required}
            placeholder={isFilter ? 'eq.1' : example}
            dir="auto"
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
        )}
      </div>
    </div>
  );
}

function BodyField({
  types,
  type,
  body,
  onType,
  onBody,
}: {
  readonly types: readonly MediaType[];
  readonly type: MediaType;
  readonly body: string;
  readonly onType: (type: MediaType) => void;
  readonly onBody: (body: string) => void;
}): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Body</label>
      {types.length === 1 ? (
        <span class="type">{type.name}</span>
      ) : (
        <select
          aria-label="Media type of the body"
          value={type.name}
          onChange={({ currentTarget }) => {
            const chosen = types.find(({ name }) => name === currentTarget.value);
            if (chosen !== undefined) onType(chosen);
          }}
        >
          {types.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
      <div class="field-input">
        <textarea
          id={id}
          rows={Math.min(14, Math.max(4, body.split('\n').length))}
          value={body}
          spellcheck={false}
          dir="auto"
          onInput={(event) => onBody(event.currentTarget.value)}
        />
      </div>
    </div>
  );
}

interface Received {
  readonly status: number;
  readonly statusText: string;
  readonly headers: string;
  readonly type: string;
  readonly text: string;
  /** Until the head, and until the end or what has been read of it. */
  readonly milliseconds: readonly [head: number, body: number];
  readonly isComplete: boolean;
}

/** Longest text of a response that is shown, in characters. */
const LONGEST = 200_000;

function Exchange({
  caller,
  request,
  children,
}: {
  readonly caller: Caller;
  readonly request: Outgoing;
  readonly children: JSX.Element['props']['children'];
}): JSX.Element {
  const [received, setReceived] = useState<Received | null>(null);
  const [error, setError] = useState<unknown>(null);
  const abort = useRef<AbortController | null>(null);
  const [isRunning, setRunning] = useState(false);
  useEffect(() => () => abort.current?.abort(), []);

  async function send(): Promise<void> {
    abort.current?.abort();
    const own = new AbortController();
    abort.current = own;
    setError(null);
    setReceived(null);
    setRunning(true);
    try {
      for await (const state of receive(caller, request, own.signal))
        if (!own.signal.aborted) setReceived(state);
    } catch (reason) {
      if (!own.signal.aborted) setError(reason);
    } finally {
      if (abort.current === own) setRunning(false);
    }
  }

  return (
    <>
      <form
        class="row-form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {children}
        <div class="actions">
          <button type="submit" class="primary">
            Send
          </button>
          {isRunning && (
            <button type="button" onClick={() => abort.current?.abort()}>
              Stop
            </button>
          )}
        </div>
      </form>
      {error !== null && <ErrorBox error={error} />}
      {received !== null && <Response received={received} isHead={request.method === 'HEAD'} />}
    </>
  );
}

/** Sends the request, and returns what has arrived with each piece of the body: streams have no end. */
async function* receive(caller: Caller, request: Outgoing, signal: AbortSignal): AsyncGenerator<Received> {
  const began = performance.now();
  const response = await open(caller, request, signal);
  const head = performance.now() - began;
  const type = response.headers.get('content-type') ?? '';
  const state = (text: string, isComplete: boolean): Received => ({
    ...{ status: response.status, statusText: response.statusText, type, text, isComplete },
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    milliseconds: [head, performance.now() - began],
  });
  let text = '';
  yield state(text, response.body === null);
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    text += value ?? '';
    const isTooLong = text.length > LONGEST;
    yield state(text.slice(0, LONGEST), done);
    if (isTooLong) await reader.cancel();
    if (done || isTooLong) return;
  }
}

function Response({
  received,
  isHead,
}: {
  readonly received: Received;
  readonly isHead: boolean;
}): JSX.Element {
  const { status, statusText, headers, type, text, milliseconds, isComplete } = received;
  const [head, body] = milliseconds;
  return (
    <div class="response" role="status">
      <p>
        <b class={`status ${status < 400 ? 'good' : 'bad'}`}>{`${String(status)} ${statusText}`}</b>{' '}
        <span class="quiet">{`${head.toFixed(0)} ms, ${body.toFixed(0)} ms with the body`}</span>
      </p>
      <Code label="Headers of the response" text={headers} />
      {isComplete && text === '' ? (
        <p class="quiet">{isHead ? 'HEAD has no body.' : 'There is no body.'}</p>
      ) : (
        <Code label="Body of the response" text={isComplete ? readable(text, type) : text} />
      )}
      {text.length >= LONGEST && <p class="quiet">The rest of the body is not shown.</p>}
    </div>
  );
}
