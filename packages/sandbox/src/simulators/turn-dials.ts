/**
 * The implementation of `ssvirt sandbox dial`: reads the ConfigMap of the dials, changes it on request, and shows it.
 */
import { BadValue } from '@ssvirt/base/config/values';
import type { Client } from '@ssvirt/kube/client/client';
import { createClient } from '@ssvirt/kube/client/create';
import { KubeError } from '@ssvirt/kube/errors';
import { KubeconfigError, loadKubeconfig } from '@ssvirt/kube/kubeconfig/load';
import type { DialRequest } from './dial-command.ts';
import { DIALS, findDials } from './dial-keeper.ts';
import { describeProblem, readDials, showDials } from './dial-values.ts';
import { defaultDials, type Dials, type SimulatedFault } from './dials.ts';
import { parseFault, parseKind, showFault } from './fault-text.ts';
import { configMaps } from './serving/front-proxy.ts';

const ANSWER_WITHIN_MS = 10_000;

/** `turnDials` resolves to the text to print; rejects with a BadValue that is a sentence for the user. */
export async function turnDials(request: DialRequest): Promise<string> {
  const changes = parseSettings(request.settings);
  const client = await connect(request);
  try {
    return await explained(() => turn(client, changes, request));
  } finally {
    await client.close();
  }
}

async function turn(client: Client, changes: Readonly<Record<string, string>>, request: DialRequest): Promise<string> {
  const found = await findDials(client);
  if (found === undefined)
    throw new BadValue(
      'no simulators run in this cluster: start them with ssvirt sandbox (without --bare) or ssvirt sandbox simulate',
    );
  const now = readDials(found.data ?? {}, defaultDials, defaultDials).dials;
  const read = readDials(changes, now, now);
  if (read.problems.length > 0) throw new BadValue(read.problems.map(describeProblem).join('\n'));
  const dials = { ...read.dials, faults: faultsAfter(read.dials.faults, request) };
  const before = showDials(now);
  const data = Object.fromEntries(Object.entries(showDials(dials)).filter(([name, text]) => text !== before[name]));
  if (Object.keys(data).length > 0)
    await client.patch(configMaps, DIALS, { type: 'merge', body: { data } }, { timeoutMs: ANSWER_WITHIN_MS });
  return table(dials);
}

function parseSettings(settings: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    settings.map((setting) => {
      const at = setting.indexOf('=');
      if (at <= 0) throw new BadValue(`"${setting}" is not a setting: write NAME=VALUE, such as speed=10`);
      return [setting.slice(0, at), setting.slice(at + 1)] as const;
    }),
  );
}

/** Removes faults first, so that one call can replace a fault by another. */
function faultsAfter(faults: readonly SimulatedFault[], { fault = [], lift = [] }: DialRequest): Dials['faults'] {
  const begun = fault.map((text) => about('--fault', text, parseFault));
  const ended = lift.map((text) => about('--lift', text, parseLifted));
  const left = faults.filter((one) => !ended.some((isLifted) => isLifted(one)));
  const known = new Set(left.map(showFault));
  return [...left, ...begun.filter((one) => !known.has(showFault(one)))];
}

function parseLifted(text: string): (fault: SimulatedFault) => boolean {
  if (text === 'all') return () => true;
  if (text.includes(',')) {
    const lifted = showFault(parseFault(text));
    return (fault) => showFault(fault) === lifted;
  }
  const lifted = parseKind(text);
  return ({ kind }) => kind === lifted;
}

function about<T>(flag: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof BadValue) throw new BadValue(`${flag}: "${text}" ${error.message}`);
    throw error;
  }
}

function table(dials: Dials): string {
  const { faults: _faults, ...others } = showDials(dials);
  const rows = Object.entries(others).map(([name, text]) => `${name.padEnd(16)} ${text}\n`);
  const faults = dials.faults.map(showFault);
  return `${rows.join('')}${'faults'.padEnd(16)} ${faults.length === 0 ? 'none' : faults.join('  ')}\n`;
}

async function connect({ kubeconfig, context }: DialRequest): Promise<Client> {
  const path = kubeconfig ?? process.env['KUBECONFIG'] ?? 'sandbox.kubeconfig';
  const source = await explained(() => loadKubeconfig({ path, ...(context === undefined ? {} : { context }) }));
  return createClient({
    cluster: source.context ?? path,
    source,
    userAgent: 'ssvirt-dial',
    fieldManager: 'ssvirt-dial',
  });
}

async function explained<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof KubeError || error instanceof KubeconfigError) throw new BadValue(error.message);
    throw error;
  }
}
