/** Measures changes at a rate, or at full speed: how soon they are committed, and what that costs. */
import type { Figures } from '../sandbox/figures.ts';
import { percentile } from '../sandbox/percentiles.ts';
import { cpuSeconds, residentBytes } from '../sandbox/processes.ts';
import { lagOf } from './lag.ts';
import { latencies } from './latencies.ts';
import type { Load } from './load.ts';
import type { Scene } from './scenes.ts';
import { synced, type Trial } from './trial.ts';

export async function measure(scene: Scene, { running, probe }: Trial, load: Load, figures: Figures): Promise<void> {
  const section = `${scene.name}, ${load.title}`;
  const changes = scene.versions.advance(load.changes);
  await probe.reset();
  const before = { cpu: cpuSeconds([running]), log: running.logBytes(), metrics: await running.metrics() };
  const { sent, seconds } = await scene.play(changes, load);
  await synced(running, probe, scene);
  const statements = await probe.statements();
  const metrics = await running.metrics();
  const writes = await probe.writes();
  const first = sent.reduce((least, time) => Math.min(least, time), Infinity);
  const last = writes.reduce((latest, { at }) => Math.max(latest, at), 0);
  const taken = (last - first) / 1000;
  const thousands = load.changes / 1000;
  const waited = latencies(changes, sent, writes);
  if (waited.length !== changes.length)
    throw new Error(`${running.name}: ${changes.length - waited.length} of ${changes.length} changes were not found`);

  figures.add(section, 'changes sent', '/s', load.changes / seconds);
  figures.add(section, 'changes brought in', '/s', load.changes / taken);
  figures.add(section, 'rows written', '/s', writes.length / taken);
  figures.add(section, 'sent → committed, p50', 'ms', percentile(waited, 0.5));
  figures.add(section, 'sent → committed, p99', 'ms', percentile(waited, 0.99));
  const lag = lagOf(before.metrics, metrics);
  if (lag !== undefined) {
    figures.add(section, 'seen → committed by its own metric, p50', 'ms', lag.p50);
    figures.add(section, 'seen → committed by its own metric, p99', 'ms', lag.p99);
  }
  figures.add(section, 'statements per change', '', statements / load.changes);
  figures.add(section, 'processor time per 1000 changes', 'CPU s', (cpuSeconds([running]) - before.cpu) / thousands);
  figures.add(section, 'log per 1000 changes', 'KB', (running.logBytes() - before.log) / thousands / 1000);
  figures.add(section, '/metrics', 'KB', metrics.length / 1000);
  figures.add(section, 'resident afterwards', 'MB', residentBytes([running]) / 1e6);
}
