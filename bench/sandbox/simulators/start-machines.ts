/** Measures how fast VMs start from nothing. */
import { Connection } from '../connection.ts';
import type { Figures } from '../figures.ts';
import { runLoad, withConnections } from '../load.ts';
import { percentile } from '../percentiles.ts';
import { cpuSeconds, measurable, peakBytes, residentBytes } from '../processes.ts';
import { machine, machineName, machinesPath, namespace } from './machine.ts';
import { Observer } from './observer.ts';
import type { Options } from './options.ts';
import type { Subject } from './subject.ts';
import { pause, until } from './until.ts';

/** On a connection of its own: minutes may pass between two reads, and the server closes idle connections. */
const revisionOf = async (subject: Subject, path: string): Promise<string> => {
  const connection = await Connection.open(subject);
  const { parts } = await connection.must({ method: 'GET', path: `${path}?limit=1` });
  connection.close();
  const list = JSON.parse(Buffer.concat(parts).toString()) as { metadata: { resourceVersion: string } };
  return list.metadata.resourceVersion;
};

export async function startMachines(subject: Subject, options: Options, figures: Figures): Promise<void> {
  const section = `${options.machines} machines from nothing to Running`;
  const connection = await Connection.open(subject);
  const body = JSON.stringify({ metadata: { name: namespace } });
  await connection.must({ method: 'POST', path: '/api/v1/namespaces', body });
  connection.close();
  const revision = await revisionOf(subject, machinesPath);
  const observer = await Observer.open(subject, machinesPath);
  const before = measurable ? cpuSeconds(subject.processes) : 0;
  const began = performance.now();
  try {
    const { created, running } = await createAll(subject, options, observer);
    const seconds = (performance.now() - began) / 1000;
    const writes = Number(await revisionOf(subject, machinesPath)) - Number(revision);
    figures.add(section, 'until the last one is Running', 's', seconds);
    figures.add(section, 'machines', '/s', options.machines / seconds);
    figures.add(section, 'until the last one is created', 's', created);
    figures.add(section, 'from create to Running, p50', 's', percentile(running, 0.5));
    figures.add(section, 'from create to Running, p99', 's', percentile(running, 0.99));
    figures.add(section, 'changes stored, of all kinds, per machine', '', writes / options.machines);
    if (measurable) await ofProcess(subject, options, figures, section, before);
  } finally {
    observer.close();
  }
}

interface Course {
  /** Seconds until the last was created. */
  readonly created: number;
  /** Seconds from the create of each until it ran. */
  readonly running: readonly number[];
}

async function createAll(subject: Subject, options: Options, observer: Observer): Promise<Course> {
  const { machines, connections, patience } = options;
  const sent = new Map<string, number>();
  const running: number[] = [];
  const seen = new Set<string>();
  observer.onChange = ({ name, status }) => {
    if (status !== 'Running' || seen.has(name)) return;
    seen.add(name);
    running.push((performance.now() - (sent.get(name) ?? Number.NaN)) / 1000);
  };
  const { seconds: created } = await withConnections(subject, connections, (open) =>
    runLoad(open, machines, (index) => {
      sent.set(machineName(index), performance.now());
      return { method: 'POST', path: machinesPath, body: JSON.stringify(machine(index)) };
    }),
  );
  const complaint = (): string => `only ${running.length} of ${machines} machines are Running`;
  await until(() => running.length === machines, { seconds: patience, complaint, observers: [observer] });
  return { created, running };
}

async function ofProcess(
  { processes }: Subject,
  { machines, rest }: Options,
  figures: Figures,
  section: string,
  before: number,
): Promise<void> {
  const used = cpuSeconds(processes);
  figures.add(section, 'processor time per machine', 'ms', ((used - before) / machines) * 1000);
  figures.add(section, 'resident, at most', 'MB', peakBytes(processes) / 1e6);
  // Guest agents connect and Events are written after the last VM runs.
  await pause(rest * 1000);
  const settled = cpuSeconds(processes);
  await pause(rest * 1000);
  const share = (cpuSeconds(processes) - settled) / rest;
  figures.add(section, 'idle afterwards, of a core', '%', share * 100);
  figures.add(section, 'resident afterwards', 'MB', residentBytes(processes) / 1e6);
}
