/** The alert rules, as Prometheus would load them; run by .ci/run. */
// needs: promtool
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { findTool } from '../not-run.ts';
import { alertRules, expressions } from './named-metrics.ts';

const promtool = findTool('promtool') ?? 'promtool';
const alerts = resolve(import.meta.dirname, '../../deploy/alerts');

test('promtool takes the rules, and counts as many as there are', () => {
  const files = globSync('*.yaml', { cwd: alerts }).map((file) => join(alerts, file));
  const said = execFileSync(promtool, ['check', 'rules', ...files], { encoding: 'utf8' });
  assert.match(said, new RegExp(`SUCCESS: ${alertRules().length} rules found`));
});

interface Scene {
  readonly series: Readonly<Record<string, string>>;
  readonly alert: string;
  /** The labels of the alerts that fire after half an hour, beside the severity. */
  readonly fires: readonly Readonly<Record<string, string>>[];
}

/** A minute between two values. */
const scenes: Readonly<Record<string, Scene>> = {
  'a Lease that nobody holds, but not that of the fleet, which is held only where there are clusters': {
    series: {
      'leader_election_master_status{job="ssvirt-vm-controller",name="ssvirt-vm-controller"}': '0x30',
      'leader_election_master_status{job="ssvirt-vm-controller",name="ssvirt-fleet"}': '0x30',
      'leader_election_master_status{job="ssvirt-machine-operator",name="ssvirt-machine-operator",pod="a"}': '1x30',
      'leader_election_master_status{job="ssvirt-machine-operator",name="ssvirt-machine-operator",pod="b"}': '0x30',
    },
    alert: 'SsvirtNoLeader',
    fires: [{ name: 'ssvirt-vm-controller' }],
  },
  'answers with 5xx': {
    series: {
      'ssvirt_api_requests_total{job="ssvirt-api-server",status="200"}': '0+90x30',
      'ssvirt_api_requests_total{job="ssvirt-api-server",status="503"}': '0+10x30',
    },
    alert: 'SsvirtApiErrors',
    fires: [{}],
  },
  'no answer with 5xx': {
    series: { 'ssvirt_api_requests_total{job="ssvirt-api-server",status="200"}': '0+90x30' },
    alert: 'SsvirtApiErrors',
    fires: [],
  },
  'AAP that takes no order, but lets them be deleted': {
    series: {
      'cloudkit_webhook_calls_total{action="create",outcome="unreachable"}': '0+5x30',
      'cloudkit_webhook_calls_total{action="create",outcome="accepted"}': '0+1x30',
      'cloudkit_webhook_calls_total{action="delete",outcome="accepted"}': '0+5x30',
      'cloudkit_webhook_calls_total{action="delete",outcome="failed"}': '0+1x30',
    },
    alert: 'SsvirtWebhooksFail',
    fires: [{ action: 'create' }],
  },
  'a cluster that one process cannot use': {
    series: {
      'ssvirt_fleet_cluster_phase{job="ssvirt-api-server",pod="a",cluster="east",phase="Failed"}': '0x30',
      'ssvirt_fleet_cluster_phase{job="ssvirt-machine-operator",pod="b",cluster="east",phase="Failed"}': '1x30',
    },
    alert: 'SsvirtClusterFailed',
    fires: [{ job: 'ssvirt-machine-operator', cluster: 'east' }],
  },
};

for (const [name, { series, alert, fires }] of Object.entries(scenes))
  test(`${alert} knows ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'ssvirt-rules-'));
    try {
      const labels = alertRules().find((rule) => rule.alert === alert)?.labels ?? {};
      const scene = {
        rule_files: globSync('*.yaml', { cwd: alerts }).map((file) => join(alerts, file)),
        evaluation_interval: '1m',
        tests: [
          {
            interval: '1m',
            input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
            // The alert as Prometheus itself shows it, without the words that a person reads.
            promql_expr_test: [
              {
                expr: `ALERTS{alertname="${alert}", alertstate="firing"}`,
                eval_time: '29m',
                exp_samples: fires.map((own) => ({
                  labels: seriesOf('ALERTS', { alertname: alert, alertstate: 'firing', ...labels, ...own }),
                  value: 1,
                })),
              },
            ],
          },
        ],
      };
      const file = join(folder, 'scene.yaml');
      writeFileSync(file, JSON.stringify(scene));
      execFileSync(promtool, ['test', 'rules', file], { encoding: 'utf8', stdio: 'pipe' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

function seriesOf(name: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return `${name}{${pairs.join(',')}}`;
}

test('promtool takes every expression of the dashboards', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ssvirt-rules-'));
  try {
    // Grafana puts an interval in; a recording rule is the way to have an expression parsed.
    const rules = expressions().map(({ expr }, place) => ({
      record: `expression:${place}`.replaceAll(/\d+/g, (digits) => `n${digits}`),
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    assert.ok(rules.length > 80, String(rules.length));
    const file = join(folder, 'rules.yaml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'expressions', rules }] }));
    const said = execFileSync(promtool, ['check', 'rules', file], { encoding: 'utf8' });
    assert.match(said, new RegExp(`SUCCESS: ${rules.length} rules found`));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
