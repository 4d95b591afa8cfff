/** The cures of findings as a migration. */
import type { Finding } from './rule.js';
import { RULES } from './rules.js';

/** Each cure below its finding. Those that need a decision are comments. */
export function fixMigration(findings: readonly Finding[]): string {
  const decisions = new Set(
    RULES.filter(({ needsDecision }) => needsDecision === true).map(({ name }) => name),
  );
  const blocks = findings.map(({ rule, object, message, cure }) => {
    const head = comment(`${rule}: ${object}\n${message}`);
    return decisions.has(rule)
      ? `${head}\n-- It needs a decision, or a superuser:\n${comment(`${cure};`)}`
      : `${head}\n${cure};`;
  });
  return `-- Cures of findings of dbr lint. Read each before you apply it.\n\n${blocks.join('\n\n')}\n`;
}

const comment = (text: string): string => text.replaceAll(/^/gm, '-- ');

const MIGRATION_NAME = /^(\d{4})_.*\.sql$/;

/** The name of the next migration of a folder. @param names of its files */
export function nextMigration(names: readonly string[], what: string): string {
  const numbers = names.map((name) => Number(MIGRATION_NAME.exec(name)?.[1] ?? 0));
  return `${String(Math.max(0, ...numbers) + 1).padStart(4, '0')}_${what}.sql`;
}
