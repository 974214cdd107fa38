/** Writes docs/metrics.md: every metric of every process, from its registry. */
import { writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Registry } from 'prom-client';
import { parts, registryOf, type Part } from './registries.ts';

export const pageFile = resolve(import.meta.dirname, '../../docs/metrics.md');

const introduction = `# Metrics

<!-- Written by \`make docs\` from the registries of the processes. -->

Every process serves \`/metrics\` on its own port, in the Prometheus text format, to users with the right to \`get\` that path in the cluster. To use the metrics, see the dashboards in
[\`deploy/dashboards\`](../deploy/dashboards), the alert rules in [\`deploy/alerts\`](../deploy/alerts/ssvirt.yaml), [a page for each alert](operator/runbooks/README.md), and
[how to set that up](provider/install.md#monitoring).

A histogram \`x\` has the series \`x_bucket\`, \`x_sum\` and \`x_count\`. In addition, each process exposes the usual Node metrics \`process_*\` and \`nodejs_*\`: memory, CPU, event loop lag, garbage
collection.
`;

const headings: Readonly<Record<Part, string>> = {
  runtime: '## Every process\n\nNamed as in controller-runtime and client-go, so that existing dashboards work.',
  fleet:
    '## The fleet\n\nExposed by the API server, the vm-controller and the machine-operator, each from its own view of the clusters.',
  database: '## The database\n\nExposed by the API server and the vm-controller.',
  'api-server': '## The API server',
  'vm-controller': '## The vm-controller',
  'machine-operator': '## The machine-operator',
  'cloudkit-operator': '## The cloudkit-operator',
};

export interface Metric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** `metricsOf` returns the metrics of a registry, sorted by name. */
export async function metricsOf(registry: Registry): Promise<readonly Metric[]> {
  // Only the registered metric has its label names; the exported values do not.
  const labels = new Map(
    registry
      .getMetricsAsArray()
      .map((metric) => [metric.name, (metric as { readonly labelNames?: readonly string[] }).labelNames ?? []]),
  );
  const told = await registry.getMetricsAsJSON();
  return told
    .map(({ name, type, help }) => ({ name, type: String(type), help, labels: labels.get(name) ?? [] }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

export async function page(): Promise<string> {
  const sections = await Promise.all(
    parts.map(async (part) => `${headings[part]}\n\n${table(await metricsOf(await registryOf(part)))}`),
  );
  return [introduction, ...sections].join('\n');
}

function table(metrics: readonly Metric[]): string {
  const rows = metrics.map(
    ({ name, type, labels, help }) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help.replaceAll('|', '\\|').replace(/\.$/, '')} |\n`,
  );
  return `| metric | type | labels | meaning |\n| --- | --- | --- | --- |\n${rows.join('')}`;
}

if (process.argv[1] !== undefined && relative(process.argv[1], import.meta.filename) === '')
  writeFileSync(pageFile, await page());
