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
  /** The labels of the alerts that fire then, besides the severity. */
  readonly fires: readonly Readonly<Record<string, string>>[];
  /** After this many minutes; by default 29. */
  readonly after?: number;
}

/** A request a minute, each of which takes more than 5 seconds. */
const slow = { '5': '0x29', '10': '0+1x29', '+Inf': '0+1x29' } as const;

/** For orders that the operator fulfills: their number, and how many of them take at most 5 seconds. */
function ordersBySeconds(within5: string, all: string): Readonly<Record<string, string>> {
  const metric = 'cloudkit_order_provisioning_seconds';
  return {
    [`${metric}_bucket{mode="controller",le="5"}`]: within5,
    [`${metric}_bucket{mode="controller",le="10"}`]: all,
    [`${metric}_bucket{mode="controller",le="+Inf"}`]: all,
    [`${metric}_count{mode="controller"}`]: all,
  };
}

/** In addition to ten provisioned orders a minute. */
function failures(of: {
  readonly reason: string;
  readonly counted: string;
  readonly failed: string;
}): Readonly<Record<string, string>> {
  return {
    'cloudkit_order_provisioned_total{mode="controller",pod="a"}': '0+10x90',
    [`cloudkit_order_failures_total{mode="controller",reason="${of.reason}",pod="a"}`]: of.counted,
    'cloudkit_orders{phase="Failed",mode="controller",pod="a"}': of.failed,
  };
}

/** A minute between two values. */
const scenes: Readonly<Record<string, Scene>> = {
  'a Lease without a holder, but not that of the fleet, which is held only where there are clusters': {
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
  'a process whose pods are gone, and one whose pods are all down': {
    series: {
      'up{job="ssvirt-api-server",pod="a"}': '1x10 _x19',
      'up{job="ssvirt-vm-controller",pod="b"}': '0x29',
      'up{job="ssvirt-machine-operator",pod="c"}': '0x29',
      'up{job="ssvirt-machine-operator",pod="d"}': '1x29',
      'up{job="ssvirt-cloudkit-operator",pod="e"}': '1x29',
    },
    alert: 'SsvirtProcessMissing',
    fires: [{ job: 'ssvirt-api-server' }, { job: 'ssvirt-vm-controller' }],
  },
  'the queues of others apart': {
    series: {
      'workqueue_longest_running_processor_seconds{job="virt-controller",name="vm"}': '400x29',
      'workqueue_longest_running_processor_seconds{job="ssvirt-machine-operator",name="Machine"}': '400x29',
    },
    alert: 'SsvirtQueueStuck',
    fires: [{ job: 'ssvirt-machine-operator', name: 'Machine' }],
  },
  'rows that go on failing, though no more are put into sync_failures': {
    series: {
      'ssvirt_vm_status_failing_vms{job="ssvirt-vm-controller",pod="a"}': '2x29',
      'ssvirt_vm_status_failing_vms{job="ssvirt-vm-controller",pod="b"}': '0x29',
      'ssvirt_vm_sync_failures_total{job="ssvirt-vm-controller",pod="a"}': '2x29',
    },
    alert: 'SsvirtVmSyncFailures',
    fires: [{}],
  },
  'slow answers from those that only wait': {
    series: Object.fromEntries(
      [
        ['GET', '/cloudapi/1.0.0/vms'],
        ['POST', '/cloudapi/1.0.0/sessions'],
        ['GET', '/cloudapi/1.0.0/events'],
        ['POST', '/cloudapi/1.0.0/vms/:vmId/actions/powerOn'],
        ['DELETE', '/api/admin/org/:orgId/vdcs/:vdcId'],
      ].flatMap(([method = '', route = '']) =>
        Object.entries(slow).map(([le, values]) => [
          seriesOf('ssvirt_api_request_duration_seconds_bucket', { method, route, le }),
          values,
        ]),
      ),
    ),
    alert: 'SsvirtApiSlow',
    fires: [
      { method: 'GET', route: '/cloudapi/1.0.0/vms' },
      { method: 'POST', route: '/cloudapi/1.0.0/sessions' },
    ],
  },
  'orders that are slow for long': {
    series: ordersBySeconds('0+1x90', '0+2x90'),
    alert: 'SsvirtOrdersSlow',
    fires: [{}],
    after: 75,
  },
  'orders that were slow once': {
    series: ordersBySeconds('0+1x90', '0+1x30 45+1x59'),
    alert: 'SsvirtOrdersSlow',
    fires: [],
    after: 60,
  },
  'orders that are few': {
    series: ordersBySeconds('0x90', '0x9 1x9 2x9 3x9 4x9 5x9 6x30'),
    alert: 'SsvirtOrdersSlow',
    fires: [],
    after: 75,
  },
  'orders that the cluster refuses, all at once': {
    series: failures({ reason: 'Refused', counted: '_x30 3x59', failed: '0x30 3x59' }),
    alert: 'SsvirtOrdersFailOften',
    fires: [{}],
    after: 60,
  },
  'two orders that stay stuck, as two replicas see them': {
    series: {
      ...failures({ reason: 'RetriesExhausted', counted: '0+2x90', failed: '2x90' }),
      'cloudkit_orders{phase="Failed",mode="controller",pod="b"}': '2x90',
    },
    alert: 'SsvirtOrdersFailOften',
    fires: [],
    after: 75,
  },
  'orders that are wrong themselves': {
    series: failures({ reason: 'InvalidParameters', counted: '0+1x90', failed: '9x90' }),
    alert: 'SsvirtOrdersFailOften',
    fires: [],
    after: 75,
  },
};

for (const [name, { series, alert, fires, after = 29 }] of Object.entries(scenes))
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
            // The alert as Prometheus itself shows it, without its texts.
            promql_expr_test: [
              {
                expr: `ALERTS{alertname="${alert}", alertstate="firing"}`,
                eval_time: `${after}m`,
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

test('promtool takes every expression of the dashboards and the runbooks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ssvirt-rules-'));
  try {
    // Grafana inserts an interval; promtool parses an expression as a recording rule.
    const rules = expressions().map(({ expr }, place) => ({
      record: `expression:${place}`.replaceAll(/\d+/g, (digits) => `n${digits}`),
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    assert.ok(rules.length > 100, String(rules.length));
    const file = join(folder, 'rules.yaml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'expressions', rules }] }));
    const said = execFileSync(promtool, ['check', 'rules', file], { encoding: 'utf8' });
    assert.match(said, new RegExp(`SUCCESS: ${rules.length} rules found`));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
