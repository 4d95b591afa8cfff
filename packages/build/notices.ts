/** The licences of the packages in a bundle. */
import type { Metafile } from 'esbuild';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Name of the file beside a bundle. */
export const NOTICES = 'THIRD-PARTY-NOTICES.txt';

/** Names, versions and licences of the packages in the bundle. */
export async function noticesOf({ inputs }: Metafile): Promise<string> {
  const folders = Object.keys(inputs).flatMap(
    (path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  const notices: string[] = [];
  for (const folder of [...new Set(folders)].sort()) notices.push(await noticeOf(folder));
  return `dbr contains these packages.\n\n${notices.join(`\n${'-'.repeat(72)}\n\n`)}`;
}

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, string>>;
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return [
    `${name ?? ''} ${version ?? ''} (${license ?? 'see its package'})`,
    ...texts.map((text) => text.trim()),
    '',
  ].join('\n\n');
}
