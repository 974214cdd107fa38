/**
 * The alert rules in the chart: for the running processes, and with the label `job` that its ServiceMonitors set; run
 * by .ci/run.
 */
// needs: helm
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { render, type Rendered } from '../chart/helm.ts';
import { alertRules, type Rule } from './named-metrics.ts';

const metrics = { serviceMonitor: { enabled: true }, prometheusRule: { enabled: true } } as const;

function rulesOf(objects: readonly Rendered[]): readonly Rule[] {
  const groups = objects
    .filter(({ kind }) => kind === 'PrometheusRule')
    .flatMap(({ spec }) => (spec as { readonly groups: readonly { readonly rules: readonly Rule[] }[] }).groups);
  return groups.flatMap(({ rules }) => rules);
}

/** Prometheus' name for the pods of a ServiceMonitor: the Service's label that `jobLabel` names. */
function jobsOf(objects: readonly Rendered[]): readonly string[] {
  const labels = objects.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.labels ?? {});
  return objects
    .filter(({ kind }) => kind === 'ServiceMonitor')
    .map(({ spec }) => {
      const { jobLabel, selector } = spec as {
        readonly jobLabel: string;
        readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
      };
      const wanted = Object.entries(selector.matchLabels);
      const found = labels.filter((all) => wanted.every(([label, value]) => all[label] === value));
      assert.equal(found.length, 1, JSON.stringify(selector));
      return found[0]?.[jobLabel] ?? '';
    });
}

function missedOf(rules: readonly Rule[]): readonly string[] {
  return rules.filter(({ alert }) => alert === 'SsvirtProcessMissing').map(({ labels }) => labels['job'] ?? '');
}

test('with all processes, the rules are those of deploy/alerts, and each process is missed by the job that it has', async () => {
  const objects = await render({ metrics });
  assert.deepEqual(rulesOf(objects), alertRules());
  const jobs = jobsOf(objects);
  assert.equal(jobs.length, 4);
  for (const job of jobs) assert.match(job, /^ssvirt-.+$/);
  assert.deepEqual(missedOf(rulesOf(objects)).toSorted(), jobs.toSorted());
  for (const { alert, expr, labels } of rulesOf(objects))
    if (alert === 'SsvirtProcessMissing') assert.equal(expr, `absent(up{job="${labels['job']}"} == 1)`);
});

test('a process that does not run is not missed, and nothing else is left out', async () => {
  const objects = await render({ metrics, cloudkitOperator: { enabled: false }, vmController: { enabled: false } });
  const left = alertRules().filter(
    ({ labels }) => !['ssvirt-cloudkit-operator', 'ssvirt-vm-controller'].includes(labels['job'] ?? ''),
  );
  assert.deepEqual(rulesOf(objects), left);
  assert.deepEqual(missedOf(left).toSorted(), jobsOf(objects).toSorted());
  assert.equal(jobsOf(objects).length, 2);
});
