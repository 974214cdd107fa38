/** The oxlint plugin of this repository. It checks import arrows, by the table in arrows.ts, and log messages. */
import { resolve } from 'node:path';
import { wrongArrow } from './arrows.ts';
import { problemsOfCall } from './log-messages.ts';

interface Literal {
  readonly value?: unknown;
}

interface ImportNode {
  readonly source?: Literal | null;
}

interface Context {
  readonly filename: string;
  readonly cwd: string;
  report(problem: { node: unknown; message: string }): void;
}

type Visitor = Readonly<Record<string, (node: ImportNode) => void>>;

function create(context: Context): Visitor {
  const check = (node: ImportNode): void => {
    const specifier = node.source?.value;
    if (typeof specifier !== 'string') return;
    const message = wrongArrow(resolve(context.cwd), resolve(context.filename), specifier);
    if (message !== undefined) context.report({ node: node.source, message });
  };
  return {
    ImportDeclaration: check,
    ExportNamedDeclaration: check,
    ExportAllDeclaration: check,
    ImportExpression: check,
    TSImportType: check,
  };
}

function createLogMessages(
  context: Context,
): Readonly<Record<string, (node: Parameters<typeof problemsOfCall>[0]) => void>> {
  return {
    CallExpression(node) {
      for (const message of problemsOfCall(node)) context.report({ node, message });
    },
  };
}

export default {
  meta: { name: 'architecture' },
  rules: { arrows: { create }, 'log-messages': { create: createLogMessages } },
};
