/** The title of a section, with a button that copies a link to it. An address with the section leads here. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from '../../console/page/src/icon.js';
import { readRoute, sectionAddress } from './route.js';

interface SectionHeadProps {
  /** In the address. */
  readonly name: string;
  readonly title: string;
  readonly children?: ComponentChildren;
}

const COPIED_MS = 1500;

export function SectionHead({ name, title, children }: SectionHeadProps): JSX.Element {
  const id = useId();
  const head = useRef<HTMLHeadingElement>(null);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    const reach = (): void => {
      if (readRoute(location.hash).section === name) head.current?.scrollIntoView();
    };
    reach();
    addEventListener('hashchange', reach);
    return () => removeEventListener('hashchange', reach);
  }, [name]);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = (): void => {
    const address = new URL(sectionAddress(location.hash, name), location.href).href;
    void navigator.clipboard.writeText(address).then(() => setCopied(true));
  };
  return (
    <div class="section-head">
      <h3 ref={head} id={id}>
        {title}
        {children}
      </h3>
      <button
        type="button"
        class="icon"
        aria-label="Copy the link to this section"
        aria-describedby={id}
        onClick={copy}
      >
        {isCopied ? 'Copied' : <Icon name="link" />}
      </button>
    </div>
  );
}
