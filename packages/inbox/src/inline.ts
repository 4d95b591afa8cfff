/** The inline formats that a body may have: `**strong**`, `*emphasis*` and `` `code` ``. All else is text. */

const FORMATS = /\*\*(?=\S)([^*]+?)\*\*|\*(?=\S)([^*]+?)\*|`([^`]+)`/g;

/** Returns nodes of the text; markup of any other kind stays text. */
export function inlineNodes(text: string): readonly (string | HTMLElement)[] {
  const nodes: (string | HTMLElement)[] = [];
  let at = 0;
  for (const match of text.matchAll(FORMATS)) {
    const [whole, strong, emphasis, code] = match;
    nodes.push(text.slice(at, match.index));
    nodes.push(
      element(
        strong !== undefined ? 'strong' : emphasis !== undefined ? 'em' : 'code',
        strong ?? emphasis ?? code ?? '',
      ),
    );
    at = match.index + whole.length;
  }
  return [...nodes, text.slice(at)].filter((node) => node !== '');
}

function element(name: 'strong' | 'em' | 'code', text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
