/**
 * Computes the smallest patch that gives an existing VM, whoever created it, its desired state. Fields that people have
 * set beside that are kept. If nothing differs, there is no patch.
 */
import { cpusOfDomain, memoryOfDomain } from '../facts/hardware.ts';
import { mebibytes as toMebibytes, quantity } from '@ssvirt/base/values/quantity';
import { fields, text, type Fields } from '../facts/reading.ts';
import { instancetypeKind, runStrategyFor } from './build.ts';
import { annotations } from './labels.ts';
import { domainOf, precondition, specOf, strategyOf, strategyPatch } from './live.ts';
import type { Matcher } from './spec.ts';
import { mebibytes } from './storage.ts';

/** Desired state; absent fields do not change. */
export interface DesiredVm {
  /** For a VM without an instance type. */
  readonly cpus?: number;
  readonly memoryMb?: number;
  /** Replaces CPUs and memory, which are ignored then. */
  readonly instancetype?: Matcher;
  readonly running?: boolean;
  readonly name?: string;
  readonly description?: string;
  readonly vappName?: string;
}

export interface VmChange {
  /** A JSON merge patch of the VirtualMachine that includes uid and resourceVersion; absent if nothing differs. */
  readonly patch?: Fields;
  /** Why the change is impossible: a sentence for the user. */
  readonly refusal?: string;
}

export function changeOf(vm: unknown, desired: DesiredVm): VmChange {
  const refusal = refusalOf(vm, desired);
  if (refusal !== undefined) return { refusal };
  const domain = changedDomain(domainOf(vm), desired);
  const spec = {
    ...changedPower(vm, desired),
    ...changedInstancetype(vm, desired),
    ...(isEmpty(domain) ? {} : { template: { spec: { domain } } }),
  };
  const words = changedWords(vm, desired);
  if (isEmpty(spec) && isEmpty(words)) return {};
  return {
    patch: {
      metadata: { ...precondition(vm), ...(isEmpty(words) ? {} : { annotations: words }) },
      ...(isEmpty(spec) ? {} : { spec }),
    },
  };
}

function refusalOf(vm: unknown, { cpus, memoryMb, instancetype }: DesiredVm): string | undefined {
  if (instancetype !== undefined || (cpus === undefined && memoryMb === undefined)) return undefined;
  const sizedBy = fields(specOf(vm)['instancetype']);
  if (isEmpty(sizedBy)) return undefined;
  const named = text(sizedBy['name']);
  const its = named === undefined ? 'an instance type' : `the instance type "${named}"`;
  return `The machine has its CPUs and memory from ${its}: choose another instance type instead of giving CPUs or memory.`;
}

function changedPower(vm: unknown, { running }: DesiredVm): Fields {
  const isToRun = strategyOf(vm) !== 'Halted';
  return running === undefined || running === isToRun ? {} : strategyPatch(vm, runStrategyFor(running));
}

/** Removes the revision that KubeVirt keeps of an instance type: KubeVirt would use it instead of the new one. */
function changedInstancetype(vm: unknown, { instancetype }: DesiredVm): Fields {
  if (instancetype === undefined) return {};
  const kind = instancetype.kind ?? instancetypeKind;
  const { name, kind: found = instancetypeKind } = fields(specOf(vm)['instancetype']);
  if (name === instancetype.name && String(found).toLowerCase() === kind.toLowerCase()) return {};
  return { instancetype: { kind, name: instancetype.name, revisionName: null, inferFromVolume: null } };
}

function changedDomain(domain: Fields, { cpus, memoryMb, instancetype }: DesiredVm): Fields {
  if (instancetype !== undefined) return unsized(domain);
  const cpu = cpus === undefined || cpus === cpusOfDomain(domain, false) ? {} : processors(domain, cpus);
  const rest = memoryMb === undefined || memoryMb === memoryOfDomain(domain) ? {} : memory(domain, memoryMb);
  const [one, other] = [fields(cpu['resources']), fields(rest['resources'])];
  const resources = ['requests', 'limits']
    .map((part) => [part, { ...fields(one[part]), ...fields(other[part]) }] as const)
    .filter(([, amounts]) => !isEmpty(amounts));
  return { ...cpu, ...rest, ...(resources.length === 0 ? {} : { resources: Object.fromEntries(resources) }) };
}

/**
 * A limit below the CPU count would throttle the VM. A request that was equal to the limit stays equal, which dedicated
 * CPUs need.
 */
function processors(domain: Fields, cpus: number): Fields {
  const { requests, limits } = fields(domain['resources']);
  const [request, limit] = [requests, limits].map((amounts) => quantity(fields(amounts)['cpu']));
  const cpu = topology(domain, cpus);
  if (limit === undefined || limit >= cpus) return { cpu };
  const asked = { cpu: String(cpus) };
  return { cpu, resources: { limits: asked, ...(request === limit ? { requests: asked } : {}) } };
}

/** Keeps cores and threads if they fit, so that only sockets change, which can be added while the VM runs. */
function topology(domain: Fields, cpus: number): Fields {
  const { cores = 1, threads = 1, maxSockets } = fields(domain['cpu']);
  const perSocket = Number(cores) * Number(threads);
  const fits = Number.isInteger(cpus / perSocket);
  const sockets = fits ? cpus / perSocket : cpus;
  return {
    sockets,
    ...(fits ? {} : { cores: 1, threads: 1 }),
    ...(typeof maxSockets === 'number' && maxSockets < sockets ? { maxSockets: sockets } : {}),
  };
}

/**
 * Sets the guest's memory where it is stated, and otherwise the request, from which the guest then gets its memory
 * (some templates have nothing else). Fields that had the same value as before keep up with it: a request that stays
 * behind would let the node promise more than it has. A limit is never below.
 */
function memory(domain: Fields, memoryMb: number): Fields {
  const { memory: said, resources } = fields(domain);
  const { guest, maxGuest } = fields(said);
  const { requests, limits } = fields(resources);
  const asked = mebibytes(memoryMb);
  const before = memoryOfDomain(domain);
  const request = fields(requests)['memory'];
  const limit = toMebibytes(fields(limits)['memory']);
  const most = toMebibytes(maxGuest);
  const isRequest = request !== undefined && (guest === undefined || toMebibytes(request) === before);
  const isLimit = limit !== undefined && (limit < memoryMb || limit === before);
  const changed = {
    ...(isRequest ? { requests: { memory: asked } } : {}),
    ...(isLimit ? { limits: { memory: asked } } : {}),
  };
  const isGuest = guest !== undefined || (request === undefined && limit === undefined);
  return {
    ...(isGuest
      ? { memory: { guest: asked, ...(most !== undefined && most < memoryMb ? { maxGuest: asked } : {}) } }
      : {}),
    ...(isEmpty(changed) ? {} : { resources: changed }),
  };
}

/** KubeVirt refuses an instance type beside sizes in the VM's own spec. */
function unsized(domain: Fields): Fields {
  const sizes: Readonly<Record<string, readonly string[]>> = {
    cpu: ['sockets', 'cores', 'threads', 'maxSockets'],
    memory: ['guest', 'maxGuest'],
  };
  const own = Object.entries(sizes).map(([part, names]) => [part, nothing(domain[part], names)] as const);
  const { requests, limits } = fields(domain['resources']);
  const resources = Object.entries({ requests, limits })
    .map(([part, amounts]) => [part, nothing(amounts, ['cpu', 'memory'])] as const)
    .filter(([, gone]) => !isEmpty(gone));
  return Object.fromEntries([
    ...own.filter(([, gone]) => !isEmpty(gone)),
    ...(resources.length === 0 ? [] : [['resources', Object.fromEntries(resources)] as const]),
  ]);
}

/** A merge patch removes fields that are null. */
function nothing(part: unknown, names: readonly string[]): Fields {
  const there = names.filter((name) => fields(part)[name] !== undefined);
  return Object.fromEntries(there.map((name) => [name, null]));
}

function changedWords(vm: unknown, { name, description, vappName }: DesiredVm): Fields {
  const found = fields(fields(fields(vm)['metadata'])['annotations']);
  const wanted: readonly (readonly [string, string | undefined])[] = [
    [annotations.vmName, name],
    [annotations.vmDescription, description],
    [annotations.vappName, vappName],
  ];
  return Object.fromEntries(wanted.filter(([key, words]) => words !== undefined && found[key] !== words));
}

function isEmpty(value: Fields): boolean {
  return Object.keys(value).length === 0;
}
