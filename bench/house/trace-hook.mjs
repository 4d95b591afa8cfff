/** Puts a call of `traceCall` at the start of every function of src/ while Node loads it. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

export async function load(url, context, next) {
  const address = url.split('?')[0];
  const path = address.startsWith('file:') && address.endsWith('.ts') ? fileURLToPath(address) : '';
  if (!path.startsWith(SOURCES)) return await next(url, context);
  const { outputText } = ts.transpileModule(await readFile(path, 'utf8'), {
    fileName: path,
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
      verbatimModuleSyntax: true,
    },
    transformers: { before: [reportCalls(path.slice(SOURCES.length))] },
  });
  return { format: 'module', source: outputText, shortCircuit: true };
}

const reportCalls = (file) => (context) => (source) => {
  const { factory } = context;
  const outer = [];

  function nameOf({ name, parent }) {
    if (name !== undefined && ts.isIdentifier(name)) return name.text;
    const named = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
    return named ? parent.name.getText(source) : `in ${outer.at(-1) ?? 'the file'}`;
  }

  const report = (name) =>
    factory.createCallExpression(factory.createIdentifier('globalThis.traceCall'), undefined, [
      factory.createStringLiteral(file),
      factory.createStringLiteral(name),
    ]);

  /** The constructor of a derived class may do nothing with `this` before it has called the one of its base. */
  const startOf = (node, statements) =>
    ts.isConstructorDeclaration(node) ? statements.findIndex(isSuperCall) + 1 : 0;

  function withReport(node, name) {
    const call = report(name);
    if (!ts.isBlock(node.body))
      return factory.createParenthesizedExpression(factory.createComma(call, node.body));
    const { statements } = node.body;
    const start = startOf(node, statements);
    return factory.updateBlock(node.body, [
      ...statements.slice(0, start),
      factory.createExpressionStatement(call),
      ...statements.slice(start),
    ]);
  }

  function visit(node) {
    if (!ts.isFunctionLike(node) || node.body === undefined) return ts.visitEachChild(node, visit, context);
    const name = nameOf(node);
    outer.push(name);
    const visited = ts.visitEachChild(node, visit, context);
    outer.pop();
    return withBody(factory, visited, withReport(visited, name));
  }
  return ts.visitNode(source, visit);
};

const isSuperCall = (statement) =>
  ts.isExpressionStatement(statement) &&
  ts.isCallExpression(statement.expression) &&
  statement.expression.expression.kind === ts.SyntaxKind.SuperKeyword;

function withBody(factory, node, body) {
  const { modifiers, asteriskToken, name, typeParameters, parameters, type } = node;
  if (ts.isFunctionDeclaration(node))
    return factory.updateFunctionDeclaration(
      node,
      modifiers,
      asteriskToken,
      name,
      typeParameters,
      parameters,
      type,
      body,
    );
  if (ts.isFunctionExpression(node))
    return factory.updateFunctionExpression(
      node,
      modifiers,
      asteriskToken,
      name,
      typeParameters,
      parameters,
      type,
      body,
    );
  if (ts.isMethodDeclaration(node))
    return factory.updateMethodDeclaration(
      node,
      modifiers,
      asteriskToken,
      name,
      node.questionToken,
      typeParameters,
      parameters,
      type,
      body,
    );
  if (ts.isArrowFunction(node))
    return factory.updateArrowFunction(
      node,
      modifiers,
      typeParameters,
      parameters,
      type,
      node.equalsGreaterThanToken,
      body,
    );
  if (ts.isConstructorDeclaration(node))
    return factory.updateConstructorDeclaration(node, modifiers, parameters, body);
  if (ts.isGetAccessorDeclaration(node))
    return factory.updateGetAccessorDeclaration(node, modifiers, name, parameters, type, body);
  if (ts.isSetAccessorDeclaration(node))
    return factory.updateSetAccessorDeclaration(node, modifiers, name, parameters, body);
  return node;
}
