/** Pieces of TypeScript text that the generators share. */

/** The first line of every generated TypeScript file: names its source. */
export function banner(source: string): string {
  return `// Generated from ${source} by \`make generate\`. Not edited by hand.\n`;
}

/** A TypeScript string literal in single quotes. */
export function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner}'`;
}

/** An object key, quoted if necessary. */
export function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

/** A documentation comment indented by `indent`, one line where the text fits in one; empty for no text. */
export function docComment(text: string, indent = ''): string {
  const lines = text
    .trim()
    .replaceAll('*/', '*\\/')
    .split('\n')
    .map((line) => line.trim());
  if (lines.length === 1 && lines[0] === '') return '';
  if (lines.length === 1) return `${indent}/** ${lines.join('')} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** The name with its first letter raised: `listParties` → `ListParties`. */
export function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
