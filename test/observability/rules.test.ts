/**
 * Dashboards and alert rules as files. metrics.suite.ts checks that their metrics exist, promtool.suite.ts runs
 * promtool on them.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { alertRules, dashboards, expressions, metricsIn, runbooks, selectorsIn } from './named-metrics.ts';

test('every dashboard has what Grafana needs to load it', () => {
  const all = [...dashboards()];
  assert.deepEqual(
    all.map(([file]) => basename(file, '.json')),
    ['api', 'controllers', 'fleet', 'orders', 'vm-status'],
  );
  for (const [file, { uid, title, schemaVersion, tags, templating, panels }] of all) {
    assert.equal(uid, `ssvirt-${basename(file, '.json')}`);
    assert.match(title, /^ssvirt \/ ./);
    assert.ok(schemaVersion >= 36, file);
    assert.ok(tags.includes('ssvirt'));
    assert.deepEqual(templating.list[0]?.name, 'datasource');
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length, `${file}: ids of panels differ`);
    for (const { type, title: name, gridPos, datasource, targets } of panels) {
      assert.ok(['timeseries', 'stat'].includes(type), `${file}: ${name}`);
      assert.equal(datasource.uid, '${datasource}', `${file}: ${name}`);
      assert.ok(gridPos.x + gridPos.w <= 24 && gridPos.w > 0 && gridPos.h > 0, `${file}: ${name}`);
      assert.ok(targets.length > 0 && targets.every(({ refId, expr }) => refId !== '' && expr !== ''));
    }
  }
});

test('no two panels of a dashboard lie on each other', () => {
  for (const [file, { panels }] of dashboards()) {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    assert.equal(new Set(cells).size, cells.length, file);
  }
});

test('every alert has a severity, a summary, a description, and a page that says what to do', () => {
  const rules = alertRules();
  const pages = globSync('*.md', { cwd: runbooks }).filter((file) => file !== 'README.md');
  const alerts = new Set(rules.map(({ alert }) => alert));
  assert.deepEqual(pages.map((file) => basename(file, '.md')).toSorted(), [...alerts].toSorted());
  const index = readFileSync(join(runbooks, 'README.md'), 'utf8');
  for (const { alert, labels, annotations } of rules) {
    assert.match(labels['severity'] ?? '', /^(critical|warning|info)$/, alert);
    assert.ok((annotations['summary'] ?? '') !== '' && (annotations['description'] ?? '') !== '', alert);
    const page = readFileSync(join(runbooks, `${alert}.md`), 'utf8');
    assert.ok(page.startsWith(`# ${alert}\n`), alert);
    assert.match(page, partsOfPage, alert);
    assert.ok(index.includes(`[${alert}](${alert}.md)`), alert);
  }
});

/** Every runbook has the same parts in the same order. */
const partsOfPage =
  /^# \w+\n\nFor providers\b.* After this page .*\n\*\*Impact\.\*\* \S.*\n## Diagnosis\n.*\n```(promql|sh by-hand)\n.*\n## What to do\n.*\nThe alert ends when \S/s;

/** No other operator has metrics with this prefix. */
const ours = /^(ssvirt|kubevirt_operator|cloudkit)_/;
const byJob = /(^|,\s*)job=~?"ssvirt-/;

test('a metric whose name others share is asked of our processes alone', () => {
  const shared = expressions().flatMap(({ where, expr }) =>
    selectorsIn(expr)
      .filter(({ metric }) => !ours.test(metric))
      .map(({ metric, matchers }) => ({ where, metric, matchers })),
  );
  assert.ok(new Set(shared.map(({ metric }) => metric)).size > 12);
  const open = shared.filter(({ matchers }) => !byJob.test(matchers));
  assert.deepEqual(
    open.map(({ where, metric }) => `${where}: ${metric} without job=~"ssvirt-.+"`),
    [],
  );
});

/** Each replica, a standby too, counts all of them from its cache; by all the labels that it counts them by. */
const censuses: Readonly<Record<string, string>> = {
  kubevirt_operator_machines_total: 'phase, template',
  kubevirt_operator_virtual_machines_total: 'status',
  cloudkit_orders: 'phase, mode',
};

test('what every replica counts is not added up over the replicas', () => {
  for (const { where, expr } of expressions())
    for (const [metric, labels] of Object.entries(censuses))
      for (const { index } of expr.matchAll(new RegExp(`\\b${metric}\\b`, 'g')))
        assert.ok(expr.slice(0, index).endsWith(`max by (${labels}) (`), `${where}: ${expr}`);
});

test('the metrics of an expression are found between functions, labels and numbers', () => {
  assert.deepEqual(
    metricsIn('histogram_quantile(0.99, sum by (le, job) (rate(a_seconds_bucket{x=~"b.+"}[$__rate_interval]))) > 1e-9'),
    ['a_seconds_bucket'],
  );
  assert.deepEqual(metricsIn('sum(a) or vector(0) / on (cluster) max without (pod) (b{c="d"} == 1)'), ['a', 'b']);
  assert.deepEqual(selectorsIn('a{b="c",d=~"e|f"} unless rate(g[5m] offset 1h)'), [
    { metric: 'a', matchers: 'b="c",d=~"e|f"' },
    { metric: 'g', matchers: '' },
  ]);
});
