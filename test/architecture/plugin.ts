/** The oxlint plugin that refuses a wrong arrow: every form of import is looked up in the table of arrows.ts. */
import { resolve } from 'node:path';
import { wrongArrow } from './arrows.ts';

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

export default { meta: { name: 'architecture' }, rules: { arrows: { create } } };
