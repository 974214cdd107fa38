/** `ssvirt sandbox fault …`: injects faults into the answers of a running sandbox. */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { parse } from 'yaml';
import { addExamples } from '@ssvirt/base/config/examples';
import { FAULT_KINDS } from '../server/faults/rule.ts';
import { isObject, type Json, type JsonObject } from '../values/json.ts';

interface Target {
  readonly url: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export function registerFaultCommands(sandbox: Command): void {
  const fault = sandbox.command('fault').description('inject faults into the answers of a running sandbox');
  const kinds = Object.entries(FAULT_KINDS).map(([kind, what]) => `  ${kind.padEnd(15)} ${what}`);
  const adding = withTarget(fault.command('add <kind>'))
    .description('add a fault')
    .option('--path <PATH>', 'only requests whose path begins with this; * matches any characters')
    .option('--verb <VERB...>', 'only these verbs: get, list, watch, create, update, patch, delete, deletecollection')
    .addOption(numberOption('--share <0..1>', 'the share of matching requests to affect'))
    .addOption(numberOption('--times <N>', 'end the fault after this many requests'))
    .addOption(numberOption('--delay-ms <N>', 'for latency and slow-watch: how long'))
    .addOption(numberOption('--retry-after <SECONDS>', 'for 429 and 503: the Retry-After header'))
    .addOption(numberOption('--behind <N>', 'for stale-list: how many revisions'))
    .addHelpText('after', `\nKinds:\n${kinds.join('\n')}`)
    .action(async (kind: string, options: Record<string, string | number | string[] | undefined>) => {
      const rule = {
        kind,
        ...given('path', options['path']),
        ...given('verbs', options['verb']),
        ...given('share', options['share']),
        ...given('times', options['times']),
        ...given('delayMs', options['delayMs']),
        ...given('retryAfterSeconds', options['retryAfter']),
        ...given('behind', options['behind']),
      };
      const added = await call(options, 'POST', '/sandbox/faults', rule);
      process.stdout.write(`${String(added['id'])} started: ${describe(added)}\n`);
    });
  addExamples(adding, [
    'ssvirt sandbox fault add 503 --path /apis/kubevirt.io --share 0.2 --retry-after 1',
    'ssvirt sandbox fault add latency --verb list watch --delay-ms 500 --times 10',
  ]);
  const listing = withTarget(fault.command('list'))
    .description('show the active faults')
    .action(async (options: Record<string, string | undefined>) => {
      const { items } = await call(options, 'GET', '/sandbox/faults');
      const rules = Array.isArray(items) ? items.filter(isObject) : [];
      if (rules.length === 0) process.stdout.write('no faults\n');
      for (const rule of rules)
        process.stdout.write(`${String(rule['id'])}: ${describe(rule)}, hit ${String(rule['struck'])} times\n`);
    });
  addExamples(listing, ['ssvirt sandbox fault list', 'ssvirt sandbox fault list --context east']);
  const clearing = withTarget(fault.command('clear [id]'))
    .description('remove a fault, or all of them')
    .action(async (id: string | undefined, options: Record<string, string | undefined>) => {
      await call(options, 'DELETE', id === undefined ? '/sandbox/faults' : `/sandbox/faults/${encodeURIComponent(id)}`);
      process.stdout.write(id === undefined ? 'removed all faults\n' : `removed ${id}\n`);
    });
  addExamples(clearing, ['ssvirt sandbox fault clear', 'ssvirt sandbox fault clear fault-1']);
  const compacting = withTarget(fault.command('compact'))
    .description('drop all events up to now: older watches and continue tokens get 410')
    .action(async (options: Record<string, string | undefined>) => {
      const { revision } = await call(options, 'POST', '/sandbox/compact');
      process.stdout.write(`compacted at revision ${String(revision)}\n`);
    });
  addExamples(compacting, ['ssvirt sandbox fault compact', 'ssvirt sandbox fault compact --context east']);
  const resetting = withTarget(fault.command('reset-revision <revision>'))
    .description('set the revision counter back, as a restored etcd does')
    .action(async (revision: string, options: Record<string, string | undefined>) => {
      await call(options, 'POST', '/sandbox/revision', { revision: Number(revision) });
      process.stdout.write(`set the revision to ${revision}\n`);
    });
  addExamples(resetting, [
    'ssvirt sandbox fault reset-revision 1000',
    'ssvirt sandbox fault reset-revision 1000 --kubeconfig sandbox.kubeconfig --context west',
  ]);
}

function withTarget(command: Command): Command {
  return command
    .option(
      '--kubeconfig <FILE>',
      'the kubeconfig that the sandbox wrote (default: $KUBECONFIG, else ./sandbox.kubeconfig)',
    )
    .option('--context <NAME>', 'the cluster, if there are several');
}

function numberOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string) => {
    const value = Number(text);
    if (text === '' || Number.isNaN(value)) throw new InvalidArgumentError('It is not a number.');
    return value;
  });
}

function given(key: string, value: string | number | string[] | undefined): JsonObject {
  return value === undefined ? {} : { [key]: value };
}

function describe(rule: JsonObject): string {
  const where = rule['path'] === '' ? 'every path' : String(rule['path']);
  const verbs = Array.isArray(rule['verbs']) && rule['verbs'].length > 0 ? rule['verbs'].join(', ') : 'every verb';
  return `${String(rule['kind'])} on ${where}, ${verbs}, share ${String(rule['share'])}`;
}

/** Supports only the sandbox's own kubeconfigs: one file, inline client certificate. */
function readTarget(file: string, context: string | undefined): Target {
  let config: JsonObject;
  try {
    config = parse(readFileSync(file, 'utf8')) as JsonObject;
  } catch (cause) {
    throw new Error(
      `cannot read the kubeconfig "${file}": start the sandbox first, or set its file with --kubeconfig`,
      { cause },
    );
  }
  const name = context ?? String(config['current-context']);
  const chosen = entry(config['contexts'], name, 'context', file);
  const cluster = entry(config['clusters'], String(chosen['cluster']), 'cluster', file);
  const user = entry(config['users'], String(chosen['user']), 'user', file);
  const text = (value: Json | undefined): string => Buffer.from(String(value ?? ''), 'base64').toString('utf8');
  return {
    url: String(cluster['server']),
    ca: text(cluster['certificate-authority-data']),
    cert: text(user['client-certificate-data']),
    key: text(user['client-key-data']),
  };
}

function entry(list: Json | undefined, name: string, kind: string, file: string): JsonObject {
  const found = (Array.isArray(list) ? list : []).filter(isObject).find((item) => item['name'] === name);
  const value = found?.[kind];
  if (!isObject(value)) throw new Error(`the kubeconfig "${file}" has no ${kind} "${name}"`);
  return value;
}

async function call(
  options: Readonly<Record<string, unknown>>,
  method: string,
  path: string,
  body?: JsonObject,
): Promise<JsonObject> {
  const file =
    typeof options['kubeconfig'] === 'string'
      ? options['kubeconfig']
      : (process.env['KUBECONFIG'] ?? 'sandbox.kubeconfig');
  try {
    return await exchange(readTarget(file, options['context'] as string | undefined), method, path, body);
  } catch (error) {
    process.stderr.write(`ssvirt: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

function exchange(target: Target, method: string, path: string, body: JsonObject | undefined): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const { ca, cert, key } = target;
    const outgoing = request(new URL(path, target.url), { method, ca, cert, key, timeout: 10_000 }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const answer = readAnswer(Buffer.concat(chunks).toString('utf8'));
        if (answer !== undefined && (response.statusCode ?? 500) < 300) resolve(answer);
        else reject(new Error(refusalText(answer, target.url, response.statusCode)));
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer for ten seconds')));
    outgoing.on('error', (cause) =>
      reject(new Error(`cannot reach the sandbox at ${target.url}: ${cause.message}`, { cause })),
    );
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function readAnswer(text: string): JsonObject | undefined {
  try {
    const answer = JSON.parse(text) as Json;
    return isObject(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}

function refusalText(answer: JsonObject | undefined, url: string, code: number | undefined): string {
  if (typeof answer?.['message'] === 'string') return answer['message'];
  return `${url} is not a sandbox, or has another version: it answered ${code ?? 0}`;
}
