/** The mutations of a source text: one operator, condition, literal or statement is changed. */
import ts from 'typescript';

export interface Mutation {
  readonly file: string;
  /** The whole text of the file. */
  readonly text: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly was: string;
  readonly becomes: string;
}

const OPERATORS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
};

/**
 * Constants that decide only how fast a result is made: sizes of memory, of the steps between two pauses, and of what a faster
 * way is taken for. No result depends on them, and none on a comparison with them, so that no test can notice a change.
 */
const OF_SPEED: ReadonlySet<string> = new Set([
  ...['COPY_LIMIT', 'ELEMENTS_OF_STEP', 'ITEMS_OF_STEP', 'LEAST_SPACE', 'LOOKED_AT', 'MOST_COMPARED'],
  ...[
    'MOST_SLICES',
    'PAIRS_OF_SLICE',
    'SHORT',
    'SHORTEST',
    'SHORT_COPY',
    'SHORT_TEXT',
    'SLAB_BYTES',
    'WINDOW',
  ],
]);

/** Returns the mutations of a file. A changed part is put in parentheses, so that none is a fault of syntax. */
export function mutationsOf(file: string, text: string): readonly Mutation[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutation[] = [];
  const add = (node: ts.Node, becomes: string): void => {
    const [start, was] = [node.getStart(source), node.getText(source)];
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    found.push({ file, text, line, start, end: node.getEnd(), was, becomes });
  };
  const visit = (node: ts.Node): void => {
    if (isPause(node) || isOfSpeed(node)) return;
    if (ts.isIfStatement(node) && !isOfSpeed(node.expression))
      add(node.expression, `!(${node.expression.getText(source)})`);
    const becomes = replacementOf(node, source);
    if (becomes !== null) add(node, becomes);
    if (!ts.isTypeNode(node)) ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns what may replace a node; null for a node that stays. */
function replacementOf(node: ts.Node, source: ts.SourceFile): string | null {
  const part = (child: ts.Node): string => `(${child.getText(source)})`;
  if (ts.isBinaryExpression(node)) {
    const operator = OPERATORS[node.operatorToken.getText(source)];
    return operator === undefined || isText(node)
      ? null
      : `(${part(node.left)} ${operator} ${part(node.right)})`;
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return ts.isLiteralTypeNode(node.parent) ? null : 'false';
  if (node.kind === ts.SyntaxKind.FalseKeyword) return ts.isLiteralTypeNode(node.parent) ? null : 'true';
  if (ts.isNumericLiteral(node)) return isValue(node) ? `(${node.getText(source)} + 1)` : null;
  if (ts.isConditionalExpression(node))
    return `${part(node.condition)} ? ${part(node.whenFalse)} : ${part(node.whenTrue)}`;
  if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) return ';';
  return null;
}

/** Whether a statement decides only when long work gives way (`src/base/turns.ts`), which changes no result. */
const isPause = (node: ts.Node): boolean =>
  ts.isIfStatement(node) &&
  ts.isExpressionStatement(node.thenStatement) &&
  ts.isYieldExpression(node.thenStatement.expression) &&
  node.thenStatement.expression.expression === undefined;

const isOfSpeed = (node: ts.Node): boolean => {
  const parts = ts.isVariableDeclaration(node)
    ? [node.name]
    : ts.isBinaryExpression(node)
      ? [node.left, node.right]
      : [];
  return parts.some((part) => ts.isIdentifier(part) && OF_SPEED.has(part.text));
};

/** Whether a number is neither a type nor a name, nor what `a[i] ?? 0` has beyond the end, which no caller reaches. */
const isValue = (node: ts.NumericLiteral): boolean =>
  !ts.isLiteralTypeNode(node.parent) &&
  !(ts.isPropertyAssignment(node.parent) && node.parent.name === node) &&
  !isBeyondTheEnd(node.parent);

const isBeyondTheEnd = (parent: ts.Node): boolean =>
  ts.isBinaryExpression(parent) &&
  parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken &&
  ts.isElementAccessExpression(parent.left);

/** Whether `+` joins texts, which a minus would make a fault of types rather than one of thought. */
const isText = ({ left, right }: ts.BinaryExpression): boolean =>
  [left, right].some((side) => ts.isStringLiteral(side) || ts.isTemplateExpression(side));
