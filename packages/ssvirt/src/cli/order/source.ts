/** Where orders come from: a file, the standard input, or the command line. */
import { defined } from '@ssvirt/base/values/defined';
import { readFile } from 'node:fs/promises';
import { apiVersionOf } from '@ssvirt/kube/resource-type';
import { fields } from '../../kubevirt/facts/reading.ts';
import { InputError, mostBytes, readInput, type Input } from './input.ts';
import { orders } from './shown-order.ts';

export interface SourceOptions {
  readonly filename?: string;
  readonly template?: string;
  readonly parameters?: string;
  readonly namespace?: string;
}

export async function inputOf({ filename, template, parameters, namespace }: SourceOptions): Promise<Input> {
  if ((filename === undefined) === (template === undefined))
    throw new InputError('no order given: use -f FILE, -f - for standard input, or --template ID');
  if (filename === undefined) return { orders: [typed(template, parameters, namespace)], templates: [], others: [] };
  if (parameters !== undefined)
    throw new InputError('--parameters needs --template: an order in a file has its own parameters');
  const source = filename === '-' ? 'standard input' : filename;
  const input = readInput(await contentOf(filename, source), source);
  if (input.orders.length + input.templates.length === 0)
    throw new InputError(
      `${source} holds no order (apiVersion ${apiVersionOf(orders)}, kind ${orders.kind})${besides(input)}`,
    );
  return { ...input, orders: input.orders.map((order) => inNamespace(order, namespace)) };
}

function besides({ others }: Input): string {
  return others.length === 0 ? '' : `, only ${others.slice(0, 5).join(', ')}${others.length > 5 ? ' and more' : ''}`;
}

/** As in kubectl, a namespace in the file takes precedence. */
function inNamespace(order: unknown, namespace: string | undefined): unknown {
  const { metadata } = fields(order);
  if (typeof metadata !== 'object' || metadata === null || fields(metadata)['namespace'] !== undefined) return order;
  return { ...fields(order), metadata: { ...metadata, namespace: namespace ?? 'default' } };
}

function typed(template: string | undefined, parameters: string | undefined, namespace = 'default'): unknown {
  const spec = { templateID: template, ...defined({ templateParameters: parameters }) };
  return { apiVersion: apiVersionOf(orders), kind: orders.kind, metadata: { name: 'order', namespace }, spec };
}

async function contentOf(filename: string, source: string): Promise<string> {
  try {
    if (filename !== '-') return await readFile(filename, 'utf8');
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) break;
      chunks.push(chunk);
    }
    if (bytes > mostBytes) throw new InputError(`${source} is larger than ${mostBytes} bytes: split it`);
    return Buffer.concat(chunks).toString('utf8');
  } catch (error) {
    if (error instanceof InputError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new InputError(`cannot read ${source} (${code})`);
  }
}
