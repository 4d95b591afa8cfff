/** Bytes of a picture, drawn. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { bytesOf, mediaTypeOf } from './bytes.js';

/** The content security policy of the page takes pictures of its own addresses and of `data:` alone. */
function dataAddress(text: string): string {
  let characters = '';
  for (const byte of bytesOf(text)) characters += String.fromCharCode(byte);
  return `data:${mediaTypeOf(text) ?? ''};base64,${btoa(characters)}`;
}

/** @param text of PostgreSQL: `\x` and hexadecimal digits */
export function Picture({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const address = useMemo(() => dataAddress(text), [text]);
  return <img class="picture" src={address} alt={label} />;
}
