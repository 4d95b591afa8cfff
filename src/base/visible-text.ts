/** Text for a terminal: names of a database, of files and of settings may have any characters. */

/**
 * Returns the text with control characters, and those that turn the direction of writing, as `\u001b`; a terminal would obey
 * them. Line feeds and tabs stay. The form is that of JSON, so that JSON stays the same value.
 */
export const visibleText = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, (character) =>
    /[\t\n]/.test(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
