/** Makes elements of the page. Texts become text nodes, never markup. */

type Attribute = string | boolean | null;
type Child = string | Node | null;

/** @param attributes true sets an empty attribute; false and null leave it out @param children null is left out */
export function make<N extends keyof HTMLElementTagNameMap>(
  name: N,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[N] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) setAttribute(made, attribute, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

export function setAttribute(element: Element, name: string, value: Attribute): void {
  if (value === null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : value);
}

/** Changes the text if it differs, so that screen readers announce changes alone. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function button(
  text: string,
  onClick: (button: HTMLButtonElement) => void,
  attributes: Readonly<Record<string, Attribute>> = {},
  icon: Node | null = null,
): HTMLButtonElement {
  const made = make('button', { type: 'button', ...attributes }, icon, text);
  made.addEventListener('click', () => onClick(made));
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';

/** A drawing in a square of 24 by 24, hidden from screen readers. It is made of nodes: a page may refuse markup (trusted types). */
export function drawing(paths: readonly string[]): SVGSVGElement {
  const made = document.createElementNS(SVG, 'svg');
  setAttribute(made, 'viewBox', '0 0 24 24');
  setAttribute(made, 'aria-hidden', 'true');
  for (const path of paths) {
    const line = document.createElementNS(SVG, 'path');
    setAttribute(line, 'd', path);
    made.append(line);
  }
  return made;
}
