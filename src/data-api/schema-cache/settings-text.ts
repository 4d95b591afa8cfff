/** Settings as the catalogue keeps them: `name=value`. */

export type Setting = readonly [name: string, value: string];

export function readSetting(text: string): Setting {
  const equals = text.indexOf('=');
  return equals < 0 ? [text, ''] : [text.slice(0, equals), text.slice(equals + 1)];
}
