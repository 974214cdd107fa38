/** The pods of a rendering, and the requirements on every one of them, for all values. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { schema, type Config } from '../../packages/base/src/config/keys.ts';
import { loadConfig } from '../../packages/base/src/config/load.ts';
import type { Process } from '../../packages/base/src/config/schema.ts';
import { dataOf, titleOf, type Rendered } from './helm.ts';

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly resources: { readonly limits?: { readonly memory?: string } };
  readonly [probe: `${string}Probe`]:
    | { readonly httpGet: { readonly port: string; readonly path: string } }
    | undefined;
}

export interface PodSpec {
  readonly serviceAccountName?: string;
  readonly enableServiceLinks: boolean;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly containers: readonly [Container];
  readonly volumes?: readonly { readonly name: string }[];
}

interface Workload extends Rendered {
  readonly spec: {
    readonly selector?: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: PodSpec;
    };
  };
}

export function workloads(objects: readonly Rendered[]): readonly Workload[] {
  return objects.filter(({ kind }) => kind === 'Deployment' || kind === 'Job') as unknown as readonly Workload[];
}

export function checkPods(objects: readonly Rendered[]): void {
  for (const one of workloads(objects)) {
    const { metadata, spec } = one.spec.template;
    const [container] = spec.containers;
    const where = titleOf(one);
    assert.equal(spec.enableServiceLinks, false, where);
    assert.equal(spec.securityContext['runAsNonRoot'], true, where);
    assert.deepEqual(spec.securityContext['seccompProfile'], { type: 'RuntimeDefault' }, where);
    assert.deepEqual(
      container.securityContext,
      { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      where,
    );
    assert.ok(container.resources.limits?.memory !== undefined, where);
    for (const [label, value] of Object.entries(one.spec.selector?.matchLabels ?? {}))
      assert.equal(metadata.labels[label], value, where);
    const volumes = (spec.volumes ?? []).map(({ name }) => name);
    assert.deepEqual(
      (container.volumeMounts ?? []).map(({ name }) => name).toSorted(),
      volumes.toSorted(),
      `${where}: every volume is mounted, and every mount has its volume`,
    );
    const ports = (container.ports ?? []).map(({ name }) => name);
    for (const kind of ['startup', 'liveness', 'readiness'] as const)
      if (one.kind === 'Deployment') assert.ok(ports.includes(container[`${kind}Probe`]?.httpGet.port ?? ''), where);
  }
}

/** Every process accepts its file and its variables, and listens where its pod says. */
export function checkSettings(objects: readonly Rendered[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'ssvirt-settings-'));
  try {
    const file = join(folder, 'config.yaml');
    writeFileSync(file, dataOf(objects, 'ConfigMap', 'ssvirt-config')['config.yaml'] ?? '');
    for (const one of workloads(objects).filter(({ kind }) => kind === 'Deployment')) {
      const [container] = one.spec.template.spec.containers;
      const process = container.name as Process;
      const env = Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, inFolder(folder, value)]));
      const { config } = loadConfig(schema, { process, file, env });
      assert.deepEqual(
        new Set((container.ports ?? []).map(({ containerPort }) => containerPort)),
        new Set(listensAt(config, process)),
        titleOf(one),
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A value that the chart takes from a mounted file; one from a Secret is a URL. */
function inFolder(folder: string, value: string | undefined): string {
  if (value === undefined) return 'postgres://ssvirt:secret@db.example.org/ssvirt';
  for (const [path] of value.matchAll(/\/secrets\/[^&]+/g)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), 'something');
  }
  return value.replaceAll('/secrets/', `${folder}/secrets/`);
}

function listensAt({ api, controller, operator, cloudkit }: Config, process: Process): readonly number[] {
  const at = {
    'api-server': [api.listen, api.metricsAddr],
    'vm-controller': [controller.metricsAddr, controller.healthAddr],
    'machine-operator': [operator.metricsAddr, operator.healthAddr],
    'cloudkit-operator': [cloudkit.metricsAddr, cloudkit.healthAddr],
  } as const;
  return (at[process as keyof typeof at] ?? []).map(({ port }) => port);
}
