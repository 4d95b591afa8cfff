/** The tools of the caller, and their calls. */
import type { JsonSchemaType } from '@modelcontextprotocol/server';
import { DbrError } from '../errors/dbr-error.js';
import { hasRoundedNumber, type JsonObject } from '../base/json.js';
import { type Call, invalid, Refused } from './ask.js';
import { DESCRIBING } from './describe.js';
import { READING } from './read.js';
import type { Library, Tool, ToolAnswer } from './tool.js';

export interface Tools {
  /** As `tools/list` has them. */
  readonly list: readonly ReturnType<typeof listed>[];
  /** Null for a name of no tool. @throws faults of the service only */
  readonly call: (name: string, args: JsonObject, call: Call) => Promise<ToolAnswer | null>;
}

const listed = ({ name, title, description, inputSchema, kind }: Tool) => ({
  ...{ name, title, description },
  inputSchema: { ...inputSchema, additionalProperties: false },
  annotations: {
    readOnlyHint: kind === 'reads' || kind === 'proposes',
    destructiveHint: kind === 'writes',
    idempotentHint: true,
    openWorldHint: false,
  },
});

/** In characters: there may be as many problems as there are arguments. */
const LONGEST_PROBLEMS = 2000;

const refused = (text: string): ToolAnswer => ({ content: [{ type: 'text', text }], isError: true });

/** The library has narrower types for the parts of a schema than for those of its list. */
const isSchema = (value: object): value is JsonSchemaType => 'type' in value;

export function createTools({ fromJsonSchema }: Library, further: readonly Tool[]): Tools {
  const list = [...DESCRIBING, ...READING, ...further].map((tool) => ({ tool, entry: listed(tool) }));
  const byName = new Map(
    list.flatMap(({ tool, entry: { inputSchema } }) =>
      isSchema(inputSchema)
        ? [[tool.name, { tool, check: fromJsonSchema(inputSchema)['~standard'] }] as const]
        : [],
    ),
  );
  return {
    list: list.filter(({ tool }) => tool.hidden !== true).map(({ entry }) => entry),
    async call(name, args, call) {
      const found = byName.get(name);
      if (found === undefined) return null;
      const { issues } = await found.check.validate(args);
      if (issues !== undefined) {
        const problems = issues.map(({ message }) => message).join('; ');
        return refused(JSON.stringify({ message: `arguments: ${problems.slice(0, LONGEST_PROBLEMS)}` }));
      }
      try {
        // The arguments have been parsed: a number that was rounded would select or write other rows.
        if (hasRoundedNumber(call.request.body))
          return invalid('arguments', 'have a number that would be rounded: give long numbers as strings');
        return await found.tool.run(args, call);
      } catch (error) {
        if (error instanceof Refused) return refused(error.message);
        if (!(error instanceof DbrError)) throw error;
        const { code, message, details, hint } = error;
        return refused(JSON.stringify({ code, message, details, hint }));
      }
    },
  };
}
