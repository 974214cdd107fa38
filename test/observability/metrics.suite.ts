/**
 * Every metric of a dashboard or an alert is one of a running process, and docs/metrics.md lists those of each; run by
 * .ci/run.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { metricsOf } from '../../deploy/metrics/generate.ts';
import { registryOf, type Part } from '../../deploy/metrics/registries.ts';
import { command } from '../processes/api-server.ts';
import {
  anyPorts,
  ask,
  processNames,
  run,
  settingsOf,
  startServices,
  type ProcessName,
  type Running,
  type Services,
} from '../processes/all-processes.ts';
import { until } from '../runtime/until.ts';
import { expressions, metricsIn } from './named-metrics.ts';

/** Metrics that Prometheus itself adds for every target. */
const ofPrometheus = new Set(['up']);

let services: Services;
const running: Running[] = [];
before(async () => {
  services = await startServices();
});
after(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.map(({ exited }) => exited));
  await services?.stop();
});

/** The names of the series that a page of metrics has or will have, by its TYPE lines. */
function seriesOn(page: string): readonly string[] {
  return [...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type = '']) =>
    type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
}

/** Metrics of Node, the same in every process. */
const ofNode = /^(process|nodejs)_/;

/** What docs/metrics.md says of a process. */
async function documented(name: ProcessName): Promise<readonly string[]> {
  const parts: readonly Part[] = [
    'runtime',
    ...(name === 'cloudkit-operator' ? [] : (['fleet'] as const)),
    ...(name === 'api-server' || name === 'vm-controller' ? (['database'] as const) : []),
    name,
  ];
  const registries = await Promise.all(parts.map(registryOf));
  const metrics = await Promise.all(registries.map(metricsOf));
  return metrics.flat().map((metric) => `${metric.name} ${metric.type}`);
}

function typesOn(page: string): readonly string[] {
  const types = [...page.matchAll(/^# TYPE (\S+ \S+)$/gm)].map(([, type = '']) => type);
  return types.filter((type) => !ofNode.test(type));
}

test('dashboards, alerts and docs/metrics.md name metrics that the processes have, and the page all of them', async () => {
  const { PATH = '' } = process.env;
  const pageOf = async (name: ProcessName): Promise<string> => {
    const { metrics, env } = await anyPorts(name);
    const one = run(command, [name], { PATH, ...settingsOf(services), ...env });
    running.push(one);
    let page = '';
    await until(
      `${name} shows its metrics`,
      async () => {
        if (one.child.exitCode !== null) throw new Error(one.log());
        const { status, text } = await ask(metrics);
        page = text;
        return status === 200 && text.includes('rest_client_requests_total');
      },
      { deadlineMs: 60_000, everyMs: 100 },
    );
    return page;
  };
  const pages = await Promise.all(processNames.map(pageOf));
  for (const [at, name] of processNames.entries())
    assert.deepEqual(typesOn(pages[at] ?? '').toSorted(), (await documented(name)).toSorted(), name);
  const shown = new Set(pages.flatMap(seriesOn));
  const unknown = expressions().flatMap(({ where, expr }) =>
    metricsIn(expr)
      .filter((name) => !shown.has(name) && !ofPrometheus.has(name))
      .map((name) => `${where}: ${name}`),
  );
  assert.deepEqual(unknown, []);
  assert.ok(shown.size > 60, String(shown.size));
});
