/** One run: Machines are applied, and the operator is observed until everything exists and then while idle. */
import { machines } from '../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import { virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { vmName } from '../../packages/ssvirt/src/kubevirt/machine/names.ts';
import type { Figures } from '../sandbox/figures.ts';
import { settledMegabytes } from '../sandbox/memory.ts';
import { percentile } from '../sandbox/percentiles.ts';
import { cpuSeconds } from '../sandbox/processes.ts';
import { applyAll, makeNamespace, nameOf } from './declared.ts';
import type { Harness } from './harness.ts';
import { OperatorProcess } from '../operator/operator-process.ts';
import { counted, reconciles, requestsOf, since, total } from '../operator/requests.ts';
import { quiet, until } from '../operator/rest.ts';
import { FirstSeen } from '../operator/first-seen.ts';
import type { Options } from './options.ts';

export const namespace = 'bench';

/** Returns the time until the last VirtualMachine existed, in seconds. */
export async function operate(
  harness: Harness,
  options: Options,
  figures: Figures,
  say: (text: string) => void,
): Promise<number> {
  await makeNamespace(harness.supervisor.client, namespace);
  const operator = await startOperator(harness, options);
  try {
    await quiet(operator);
    figures.add('memory', 'resident before', 'MB', operator.residentBytes() / 1e6);
    say(`the operator is ready; ${options.machines} Machines are applied`);
    const seconds = await create(harness, operator, options, figures);
    say('all virtual machines are there; listening to the idle operator');
    await idle(operator, options, figures);
    return seconds;
  } catch (error) {
    say(operator.tail());
    throw error;
  } finally {
    await operator.stop();
  }
}

/** Resolves when the fleet has all members. */
function startOperator(
  { folder, supervisor, members }: Harness,
  { command, profile }: Options,
): Promise<OperatorProcess> {
  const reached = /^ssvirt_fleet_cluster_phase\{[^}]*phase="Ready"[^}]*\} 1$/gm;
  return OperatorProcess.start({
    name: 'machine-operator',
    folder,
    cluster: supervisor,
    command,
    profile,
    canBegin: (metrics) => (metrics.match(reached) ?? []).length >= members.length,
  });
}

async function create(
  harness: Harness,
  operator: OperatorProcess,
  { machines: count, patience }: Options,
  figures: Figures,
): Promise<number> {
  const [declared, made] = [new FirstSeen(), new FirstSeen()];
  await declared.follow(harness.supervisor.client, machines, namespace);
  for (const { client } of harness.members) await made.follow(client, virtualMachines, namespace);
  const before = requestsOf(await operator.metrics());
  const [cpu, rounds] = [operator.cpuSeconds(), reconciles(await operator.metrics())];
  const serverCpu = cpuSeconds(harness.processes);
  const began = performance.now();
  await applyAll(harness, namespace, count);
  figures.add('time', 'until the last Machine was applied', 's', (performance.now() - began) / 1000);
  await until('all virtual machines are there', 20, () => made.first.size >= count);
  const seconds = (Math.max(...made.first.values()) - began) / 1000;
  figures.add('time', 'until the last virtual machine was there', 's', seconds);
  const times = Array.from({ length: count }, (_, index) => latency(declared, made, nameOf(index)));
  figures.add('time', 'Machine seen → virtual machine there, p50', 'ms', percentile(times, 0.5));
  figures.add('time', 'Machine seen → virtual machine there, p99', 'ms', percentile(times, 0.99));
  await quiet(operator);
  const text = await operator.metrics();
  const sent = since(before, requestsOf(text));
  const perMachine = (name: string, value: number): void => figures.add('each Machine', name, '', value / count);
  perMachine('requests', total(sent));
  perMachine('of these read (GET)', counted(sent, 'GET'));
  perMachine('of these create (POST)', counted(sent, 'POST'));
  perMachine('of these patch or apply (PATCH)', counted(sent, 'PATCH'));
  perMachine('changes of the Machine', sum(declared.changes));
  perMachine('changes of the virtual machine', sum(made.changes));
  perMachine('reconciles, all controllers', reconciles(text) - rounds);
  figures.add('each Machine', 'processor time of the operator', 'ms', ((operator.cpuSeconds() - cpu) * 1000) / count);
  const serverMs = ((cpuSeconds(harness.processes) - serverCpu) * 1000) / count;
  figures.add('each Machine', 'processor time of the servers', 'ms', serverMs);
  figures.add('memory', 'peak', 'MB', operator.peakBytes() / 1e6);
  figures.add('memory', 'resident afterwards', 'MB', await settledMegabytes(operator, patience));
  await Promise.all([declared.end(), made.end()]);
  return seconds;
}

/** Measures an idle minute of Machines, in which their resync is due twice. */
async function idle(operator: OperatorProcess, { idle: seconds }: Options, figures: Figures): Promise<void> {
  const earlier = await operator.metrics();
  const [before, cpu] = [requestsOf(earlier), operator.cpuSeconds()];
  await new Promise((wake) => setTimeout(wake, seconds * 1000));
  const later = await operator.metrics();
  const sent = since(before, requestsOf(later));
  const perMinute = (name: string, value: number): void =>
    figures.add('an idle minute', name, '', (value * 60) / seconds);
  perMinute('requests', total(sent));
  perMinute('of these renew Leases (PUT)', counted(sent, 'PUT'));
  perMinute('of these read or watch (GET)', counted(sent, 'GET'));
  perMinute('of these write anything else', total(sent) - counted(sent, 'PUT') - counted(sent, 'GET'));
  perMinute('reconciles, all controllers', reconciles(later) - reconciles(earlier));
  const load = ((operator.cpuSeconds() - cpu) / seconds) * 100;
  figures.add('an idle minute', 'processor', '%', load);
}

function latency(declared: FirstSeen, made: FirstSeen, name: string): number {
  const [from, to] = [declared.first.get(name), made.first.get(vmName(name))];
  if (from === undefined || to === undefined) throw new Error(`Machine ${name} or its virtual machine was not seen`);
  return to - from;
}

const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);
