/** Reads a file with orders: YAML or JSON, one or more documents, also lists. */
import { isAlias, parseAllDocuments, visit } from 'yaml';
import { fields, list, text } from '../../kubevirt/facts/reading.ts';
import { apiVersionOf } from '@ssvirt/kube/resource-type';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { orders, orderTemplates, type ShownOrderTemplate } from './shown-order.ts';

/** No result is possible: the file or the command line must be corrected. */
export class InputError extends CliFailure {
  override readonly name = 'InputError';

  constructor(message: string) {
    super(message, exitCodes.usage);
  }
}

export interface Input {
  /** As written, not validated yet. */
  readonly orders: readonly unknown[];
  readonly templates: readonly ShownOrderTemplate[];
  /** Other objects in the file, which are ignored. */
  readonly others: readonly string[];
}

/** A larger input would keep the parser busy for long. A cluster's store accepts a tenth of it. */
export const mostBytes = 16 * 2 ** 20;
const mostObjects = 10_000;
const deepest = 100;

export function readInput(content: string, source: string): Input {
  const objects = documents(content, source).flatMap((document) => flattened(document));
  if (objects.length > mostObjects) throw new InputError(`${source} holds more than ${mostObjects} objects: split it`);
  const found = objects.filter((object) => object !== null && object !== undefined);
  const isOf = (type: { group: string; version: string; kind: string }, object: unknown): boolean =>
    fields(object)['kind'] === type.kind && fields(object)['apiVersion'] === apiVersionOf(type);
  const templates = found.filter((object) => isOf(orderTemplates, object));
  const misshapen = templates.find((object) => !isShaped(object));
  if (misshapen !== undefined)
    throw new InputError(
      `${source}: ${named(misshapen)} is not a valid template: spec.templateID must be a string, spec.objects a list of objects with metadata, and spec.parameters a list of objects with a name`,
    );
  return {
    orders: found.filter((object) => isOf(orders, object)),
    templates: templates as readonly unknown[] as readonly ShownOrderTemplate[],
    others: found.filter((object) => !isOf(orders, object) && !isOf(orderTemplates, object)).map(named),
  };
}

/** Checks only what rendering relies on; the API server checks more. */
function isShaped(object: unknown): boolean {
  const { metadata, spec } = fields(object);
  const { templateID, objects, parameters = [] } = fields(spec);
  const isObject = (one: unknown): boolean => Object.keys(fields(fields(one)['metadata'])).length > 0;
  const isParameter = (one: unknown): boolean => typeof fields(one)['name'] === 'string';
  const isText = typeof templateID === 'string' && typeof fields(metadata)['name'] === 'string';
  const areLists = Array.isArray(objects) && Array.isArray(parameters);
  return isText && areLists && list(objects).every(isObject) && list(parameters).every(isParameter);
}

function documents(content: string, source: string): readonly unknown[] {
  if (Buffer.byteLength(content) > mostBytes)
    throw new InputError(`${source} is larger than ${mostBytes} bytes: split it`);
  if (/^\s*[[{]/.test(content)) {
    try {
      return [JSON.parse(content) as unknown];
    } catch {
      // YAML may also begin like this.
    }
  }
  if (/(?:[-?:] +){100}|(?:\?\s+){100}|[[{]{100}/.test(content)) throw new InputError(`${source} is nested too deeply`);
  const parsed = parseAllDocuments(content, { logLevel: 'error', maxAliasCount: 100 } as object);
  return (Array.isArray(parsed) ? parsed : []).map((document) => {
    const [wrong] = document.errors;
    if (wrong !== undefined) throw new InputError(`${source} is neither YAML nor JSON: ${firstLine(wrong.message)}`);
    visit(document, (_, node, path) => {
      if (path.length > deepest && !isAlias(node)) throw new InputError(`${source} is nested too deeply`);
    });
    try {
      return document.toJS({ maxAliasCount: 100 }) as unknown;
    } catch (error) {
      throw new InputError(
        `${source} cannot be read: ${error instanceof Error ? firstLine(error.message) : 'it is not YAML'}`,
      );
    }
  });
}

function flattened(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document as readonly unknown[];
  const { kind, items } = fields(document);
  return typeof kind === 'string' && kind.endsWith('List') ? list(items) : [document];
}

function named(object: unknown): string {
  const { apiVersion, kind, metadata } = fields(object);
  const name = text(fields(metadata)['name'], 60);
  const what = `${text(kind, 60) ?? 'an object without kind'}${name === undefined ? '' : ` "${name}"`}`;
  return `${what} (${text(apiVersion, 60) ?? 'no apiVersion'})`;
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/:$/, '');
}
