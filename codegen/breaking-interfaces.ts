/** Finds breaking changes for operators: removed settings, and migrations that were changed or removed. */

/** The names in the first column of a page of settings (generated/docs/settings.md). */
const namesOnPage = (page: string): readonly string[] =>
  [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name ?? '');

/** @param before the page of settings at the base @param after the page now; an alias on it counts as a name */
export function removedSettings(before: string, after: string): readonly string[] {
  return namesOnPage(before)
    .filter((name) => !after.includes(`\`${name}\``))
    .map((name) => `setting ${name} is gone`);
}

/** @param before the files at the base, by name @param after the files now */
export function changedMigrations(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  return [...before].flatMap(([name, content]) => {
    const now = after.get(name);
    if (now === content) return [];
    return [`migration ${name} ${now === undefined ? 'is gone' : 'has changed'}`];
  });
}
