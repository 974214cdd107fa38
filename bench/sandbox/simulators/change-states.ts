/**
 * Measures state changes by one of the drivers at a rate that does not depend on the answers. Each call causes several
 * state changes; a single call shows how many. Time counts from when a call was due, so a call that had to wait for a
 * free connection is as late as its caller would see it.
 */
import { Connection } from '../connection.ts';
import type { Figures } from '../figures.ts';
import { withConnections } from '../load.ts';
import { percentile } from '../percentiles.ts';
import { cpuSeconds, measurable, residentBytes } from '../processes.ts';
import { pauses, reports, type Driver } from './drivers.ts';
import { instancesPath, machineName, machinesPath } from './machine.ts';
import { changesOf, Observer } from './observer.ts';
import type { DriverName, Options } from './options.ts';
import { Play } from './play.ts';
import type { Subject } from './subject.ts';
import { until } from './until.ts';

/** After this many milliseconds without a change, the call has had all its effects. */
const QUIET = 1000;

export async function changeStates(
  subject: Subject,
  options: Options,
  by: DriverName,
  figures: Figures,
): Promise<void> {
  const section = `${options.changes} state changes a second for ${options.seconds} s, by ${by}`;
  const observers = await Promise.all([machinesPath, instancesPath].map((path) => Observer.open(subject, path)));
  const [machines, instances] = observers as [Observer, Observer];
  try {
    const rest = restOf(observers, options);
    await rest();
    const driver = by === 'pauses' ? pauses : reports(instances, await conditionsOf(instances, options));
    const shows = shownBy(machines, driver, options);
    const each = await changesOfOneCall(subject, observers, driver, async (isOn) => {
      await shows(isOn);
      await rest();
    });
    const before = measurable
      ? { cpu: cpuSeconds(subject.processes), resident: residentBytes(subject.processes) }
      : undefined;
    const { course, cpu, lags, refused } = await withConnections(subject, options.connections, async (open) => {
      const play = new Play(open, machines, observers, options, driver, options.changes / each);
      const made = await play.run();
      const used = measurable ? cpuSeconds(subject.processes) : 0;
      await play.drain();
      return { course: made, cpu: used, lags: play.lags, refused: play.refused };
    });
    figures.add(section, 'state changes of one call', '', each);
    figures.add(section, 'calls offered', '/s', options.changes / each);
    figures.add(section, 'calls answered', '/s', course.answered / course.seconds);
    figures.add(section, 'calls refused', '', refused);
    figures.add(section, 'state changes seen', '/s', course.changes / course.seconds);
    figures.add(section, 'from the call to the machine showing it, p50', 'ms', percentile(lags, 0.5));
    figures.add(section, 'from the call to the machine showing it, p99', 'ms', percentile(lags, 0.99));
    figures.add(section, 'from the call to the machine showing it, longest', 'ms', percentile(lags, 1));
    if (before === undefined) return;
    figures.add(section, 'processor time, of a core', '%', ((cpu - before.cpu) / course.seconds) * 100);
    figures.add(section, 'resident before', 'MB', before.resident / 1e6);
    figures.add(section, 'resident after', 'MB', residentBytes(subject.processes) / 1e6);
  } finally {
    for (const observer of observers) observer.close();
  }
}

/** Waits until there are no more changes. */
function restOf(observers: readonly Observer[], { machines, patience }: Options): () => Promise<void> {
  const waiting = { seconds: patience, complaint: () => 'the machines do not come to rest', observers };
  return async () => {
    let last = performance.now();
    for (const observer of observers) observer.onChange = () => (last = performance.now());
    await until(() => performance.now() - last > QUIET && observers.every(({ seen }) => seen === machines), waiting);
  };
}

/** The conditions of every running instance; on a busy host the last of them come late. */
async function conditionsOf(instances: Observer, { patience }: Options): Promise<number> {
  const waiting = { seconds: patience, complaint: () => 'the machines are not alike', observers: [instances] };
  await until(() => instances.conditions() !== undefined, waiting);
  return instances.conditions() ?? 0;
}

/**
 * Waits until the first VM shows the effect of a call: on a busy host, silence does not prove that everything has
 * arrived.
 */
function shownBy(machines: Observer, driver: Driver, { patience }: Options): (isOn: boolean) => Promise<void> {
  const waiting = {
    seconds: patience,
    complaint: () => 'nobody sees that a machine has changed',
    observers: [machines],
  };
  return async (isOn) => {
    await until(() => {
      const seen = machines.last(machineName(0));
      return seen !== undefined && driver.isShown(seen, isOn);
    }, waiting);
  };
}

/** The mean of switching on and switching off. */
async function changesOfOneCall(
  subject: Subject,
  observers: readonly Observer[],
  driver: Driver,
  settled: (isOn: boolean) => Promise<void>,
): Promise<number> {
  const before = changesOf(observers);
  const connection = await Connection.open(subject);
  for (const isOn of [true, false]) {
    await connection.must(driver.call(0, isOn));
    await settled(isOn);
  }
  connection.close();
  return (changesOf(observers) - before) / 2;
}
