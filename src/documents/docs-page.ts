/**
 * The reference page: the viewer if its script is installed, otherwise a plain list of operations. It loads nothing
 * from another host.
 */
import type { PublishedDocument } from './published-document.js';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => escapes[char] ?? char);

/** @param body HTML */
const page = ({ title }: PublishedDocument, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
</head>
<body>
${body}
</body>
</html>
`;

/** The page that loads the viewer script beside it. Paths are relative, so that a proxy may add a prefix. */
export const viewerPage = (document: PublishedDocument): string =>
  page(
    document,
    `<div id="reference"></div>
<script src="docs/viewer.js"></script>
<script src="docs/start.js"></script>`,
  );

/** Starts the viewer with the published document; every feature that would call another host is disabled. */
export const START_SCRIPT = `Scalar.createApiReference('#reference', {
  url: 'openapi.json',
  telemetry: false,
  withDefaultFonts: false,
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
});
`;

/** Renders every operation with its summary, by tag. Served if the viewer is not installed. */
export function plainPage(document: PublishedDocument): string {
  const sections = document.tags.map(({ name, description, operations }) => {
    const rows = operations.map(
      ({ method, path, summary }) =>
        `<tr><td><code>${escapeHtml(method)}</code></td><td><code>${escapeHtml(path)}</code></td><td>${escapeHtml(summary)}</td></tr>`,
    );
    return `<h2>${escapeHtml(name)}</h2>\n<p>${escapeHtml(description)}</p>\n<table>\n${rows.join('\n')}\n</table>`;
  });
  return page(
    document,
    `<h1>${escapeHtml(document.title)} ${escapeHtml(document.version)}</h1>
<p>The whole document: <a href="openapi.json">openapi.json</a></p>
${sections.join('\n')}`,
  );
}
