/** Texts of descriptions: paragraphs, lists, code, strong words and links. They never become markup of the page. */
import type { JSX } from 'preact';
import { Text } from '../../console/page/src/parts.js';

const FENCE = /^```/;
const ITEM = /^\s*(?:[-*]|\d+\.)\s+/;

export function Markdown({ text }: { readonly text: string }): JSX.Element | null {
  if (text.trim() === '') return null;
  return (
    <div class="prose">
      {blocksOf(text).map((block, index) => (
        <Block key={index} lines={block} />
      ))}
    </div>
  );
}

/** Lines of paragraphs, lists and code; blank lines separate them, except in code. */
function blocksOf(text: string): readonly (readonly string[])[] {
  const blocks: string[][] = [[]];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) {
      if (!isCode) blocks.push([line]);
      else blocks.push([]);
      isCode = !isCode;
    } else if (!isCode && line.trim() === '') blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.filter((lines) => lines.length > 0);
}

function Block({ lines }: { readonly lines: readonly string[] }): JSX.Element {
  const [first = ''] = lines;
  if (FENCE.test(first))
    return (
      <pre tabIndex={0} role="region" aria-label="Code">
        <Text>{lines.slice(1).join('\n')}</Text>
      </pre>
    );
  if (!ITEM.test(first)) return <p>{inline(lines.join('\n'))}</p>;
  const items: string[] = [];
  for (const line of lines)
    if (ITEM.test(line)) items.push(line.replace(ITEM, ''));
    else items.push(`${items.pop() ?? ''}\n${line}`);
  return (
    <ul>
      {items.map((item, index) => (
        <li key={index}>{inline(item)}</li>
      ))}
    </ul>
  );
}

const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\(https?:\/\/[^\s)]+\))/;

const inline = (text: string): readonly JSX.Element[] =>
  text.split(INLINE).map((part, index) => {
    if (index % 2 === 0) return <Text key={index}>{part}</Text>;
    if (part.startsWith('`'))
      return (
        <code key={index}>
          <Text>{part.slice(1, -1)}</Text>
        </code>
      );
    if (part.startsWith('*'))
      return (
        <strong key={index}>
          <Text>{part.slice(2, -2)}</Text>
        </strong>
      );
    const [, label = '', address = ''] = /^\[(.*)\]\((.*)\)$/.exec(part) ?? [];
    return (
      <a key={index} href={address} rel="noreferrer">
        <Text>{label}</Text>
      </a>
    );
  });
