/** The report of tests of policies: for people, and as JUnit XML and TAP for programs. */
import type { ReportFormat } from '../../../../src/face.js';
import type { Verdict } from './run-tests.js';

export interface FileVerdicts {
  readonly file: string;
  readonly verdicts: readonly Verdict[];
}

export const renderReport = (files: readonly FileVerdicts[], format: ReportFormat): string =>
  ({ text: renderVerdicts, junit: renderJunit, tap: renderTap })[format](files);

function renderVerdicts(files: readonly FileVerdicts[]): string {
  const blocks = files.map(({ file, verdicts }) => {
    const lines = [file];
    let title = '';
    for (const verdict of verdicts) {
      if (verdict.title !== title) lines.push(`  ${verdict.title}`);
      title = verdict.title;
      lines.push(
        verdict.fault === null
          ? `    ok     ${verdict.text}`
          : `    WRONG  line ${String(verdict.line)}: ${verdict.text}\n           ${verdict.fault}`,
      );
    }
    return lines.join('\n');
  });
  const all = files.flatMap(({ verdicts }) => verdicts);
  const wrong = countWrong(all);
  const summary = `${String(all.length)} ${all.length === 1 ? 'sentence' : 'sentences'}, ${wrong === 0 ? 'all of them right' : `${String(wrong)} wrong`}`;
  return [...blocks, '', summary].join('\n');
}

export const countWrong = (verdicts: readonly Verdict[]): number =>
  verdicts.filter(({ fault }) => fault !== null).length;

/** In the form that GitLab, Jenkins and others read: a suite for each file, a case for each sentence. */
function renderJunit(files: readonly FileVerdicts[]): string {
  const suites = files.map(({ file, verdicts }) => {
    const cases = verdicts.map(({ line, title, text, fault }) => {
      const head = `    <testcase classname="${escape(title === '' ? file : title)}" name="${escape(text)}" file="${escape(file)}" line="${String(line)}"`;
      return fault === null ? `${head}/>` : `${head}><failure message="${escape(fault)}"/></testcase>`;
    });
    const head = `  <testsuite name="${escape(file)}" tests="${String(verdicts.length)}" failures="${String(countWrong(verdicts))}">`;
    return [head, ...cases, '  </testsuite>'].join('\n');
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...suites, '</testsuites>'].join('\n');
}

/** TAP version 14 (https://testanything.org): a subtest for each file, a test point for each sentence. */
function renderTap(files: readonly FileVerdicts[]): string {
  const blocks = files.flatMap(({ file, verdicts }, index) => {
    const points = verdicts.flatMap(({ line, title, text, fault }, at) => {
      const point = tapPoint(fault === null, at, title === '' ? text : `${title}: ${text}`);
      if (fault === null) return [point];
      // Every string of JSON is a string of YAML.
      const diagnostic = ['---', `message: ${JSON.stringify(fault)}`, `file: ${JSON.stringify(file)}`];
      return [point, ...[...diagnostic, `line: ${String(line)}`, '...'].map((each) => `  ${each}`)];
    });
    const subtest = [`# Subtest: ${tapText(file)}`, `1..${String(verdicts.length)}`, ...points];
    return [...subtest.map((each) => `    ${each}`), tapPoint(countWrong(verdicts) === 0, index, file)];
  });
  return ['TAP version 14', `1..${String(files.length)}`, ...blocks].join('\n');
}

const tapPoint = (isRight: boolean, index: number, description: string): string =>
  `${isRight ? 'ok' : 'not ok'} ${String(index + 1)} - ${tapText(description)}`;

/** Returns the text on one line, with the characters escaped that begin a directive. */
const tapText = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(/[\\#]/g, String.raw`\$&`);

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** Without the characters that XML 1.0 cannot contain. */
const escape = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES.get(character) ?? '');
