/**
 * The code of the manual in other languages than `sh`. A block is tried by default: JSON, YAML and settings by
 * test/unit/docs/code.test.ts, SQL and TypeScript by test/integration/manual/code.long.test.ts. The lists have the exceptions.
 */

/** Languages of blocks; a block without one is a figure, a form of HTTP, or what a program prints. */
export const LANGUAGES = ['', 'sh', 'text', 'json', 'yaml', 'ini', 'sql', 'ts', 'js', 'html'] as const;

/** Beginnings of the paths of pages, some of their languages, and the test that runs their blocks. */
export const CODE_ELSEWHERE: readonly (readonly [
  path: string,
  languages: readonly string[],
  test: string,
])[] = [
  ['docs/recipes/', ['sql', 'ini'], 'test/integration/manual/recipes.long.test.ts'],
  ['docs/guide/', ['sql'], 'test/end-to-end/guide.long.test.ts'],
  ['docs/access/logins/', ['ini', 'json'], 'test/integration/service/logins.long.test.ts'],
];

/** Blocks that no test runs or compiles: the page, a part of the block, and the reason. */
export const CODE_NOT_RUN: readonly (readonly [path: string, part: string, reason: string])[] = [
  [
    'docs/operating/distributed-engines.md',
    'num_nulls',
    'leaves out parts of the statements; recorded-statements.json has whole ones',
  ],
  [
    'docs/recipes/upserts-from-a-form.md',
    'new URLSearchParams(new FormData(form))',
    'needs a page with a form; the compiler has no type for parameters of a form',
  ],
  [
    'docs/internals/writing-an-endpoint.md',
    "dbrError('NotificationExpired'",
    'needs the error that the page adds',
  ],
  [
    'docs/internals/writing-an-endpoint.md',
    'async restoreNotification(',
    'needs the operation that the page adds',
  ],
];

/** Schemas of the published document for blocks of JSON: the page, a part of the block, the schema. */
export const JSON_SCHEMAS: readonly (readonly [path: string, part: string, schema: string])[] = [
  ['docs/notifications/webhooks.md', '"categories"', 'WebhookRequest'],
  ['docs/notifications/webhooks.md', '"delaySeconds"', 'WebhookRequest'],
  ['docs/signing/overview.md', '"recipientKeyId"', 'DelegateUserShare'],
  ['docs/signing/ceremonies.md', '"dealers"', 'CeremonyRequest'],
  ['docs/signing/audit-log.md', '"signing-config.create"', 'AuditEntry'],
];

/** Where the test of this code is, or why there is none; null for code that is tried by default. */
export const codeException = (page: string, language: string, text: string): string | null =>
  CODE_NOT_RUN.find(([path, part]) => page === path && text.includes(part))?.[2] ??
  CODE_ELSEWHERE.find(([path, languages]) => page.startsWith(path) && languages.includes(language))?.[2] ??
  null;
