/**
 * The recordings of the real KubeVirt, in a folder next to this repository: their location and contents. Their README
 * explains the form; here a scenario is read with every `$ref` followed and every event carrying the complete object
 * before and after it.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Json, JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { isObject } from '../../packages/sandbox/src/values/json.ts';
import { applyMergePatch } from '../../packages/sandbox/src/objects/patch/merge-patch.ts';

const shared = join(import.meta.dirname, '../../../shared');

export const transcriptsFolder = resolve(
  process.env['SSVIRT_TEST_TRANSCRIPTS'] ?? join(shared, 'kubevirt-transcripts'),
);
export const upstreamCrdsFolder = resolve(process.env['SSVIRT_TEST_UPSTREAM_CRDS'] ?? join(shared, 'upstream-crds'));

/** Why nothing can be replayed here; undefined if everything can. */
export function missingRecordings(): string | undefined {
  const missing = [transcriptsFolder, upstreamCrdsFolder].filter((folder) => !existsSync(folder));
  return missing.length === 0 ? undefined : `needs the recordings of KubeVirt and its CRDs in ${missing.join(' and ')}`;
}

export interface RecordedAnswer {
  readonly code: number;
  readonly body?: Json;
  readonly warning?: string;
}

export interface RecordedCall {
  readonly user: string;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly body?: Json;
  readonly response: RecordedAnswer;
}

export interface RecordedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly kind: string;
  readonly name: string;
  /** Undefined at the first event. */
  readonly before: JsonObject | undefined;
  readonly after: JsonObject;
}

export interface ForwardedCall {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export interface Step {
  readonly step: number;
  readonly actor: string;
  readonly action: string;
  readonly calls: readonly RecordedCall[];
  readonly forwarded: readonly ForwardedCall[];
  readonly events: readonly RecordedEvent[];
}

export interface Scenario {
  /** The path of its file without the extension, such as `vm/create-always`. */
  readonly id: string;
  readonly title: string;
  readonly steps: readonly Step[];
}

interface FileStep {
  readonly step: number;
  readonly actor: string;
  readonly action: string;
  readonly calls?: readonly RecordedCall[];
  readonly calls_received_by_virt_handler?: readonly ForwardedCall[];
  readonly events: readonly {
    readonly type: RecordedEvent['type'];
    readonly kind: string;
    readonly name: string;
    readonly object?: JsonObject;
    readonly changes?: JsonObject;
  }[];
}

const folders = ['instancetype', 'migration', 'snapshot', 'storage', 'vm', 'vmi'];

/** The ids of all scenarios, in order. */
export function scenarioIds(): string[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/*.json`, { cwd: transcriptsFolder }))
    .map((file) => file.replace(/\.json$/, ''))
    .toSorted();
}

export function readScenario(id: string): Scenario {
  const file = readRecording(`${id}.json`) as unknown as {
    readonly title: string;
    readonly steps: readonly FileStep[];
  };
  const known = new Map<string, JsonObject>();
  const readEvent = (event: FileStep['events'][number]): RecordedEvent => {
    const key = `${event.kind}/${event.name}`;
    const before = event.type === 'ADDED' ? undefined : known.get(key);
    const after = event.object ?? applyMergePatch(before ?? {}, event.changes ?? {});
    if (event.type === 'DELETED') known.delete(key);
    else known.set(key, after);
    return { type: event.type, kind: event.kind, name: event.name, before, after };
  };
  const steps = file.steps.map(
    ({ step, actor, action, calls = [], calls_received_by_virt_handler: forwarded = [], events }) => ({
      step,
      actor,
      action,
      calls,
      forwarded,
      events: events.map(readEvent),
    }),
  );
  return { id, title: file.title, steps };
}

let sharedObjects: JsonObject | undefined;

/** Any file of the recordings, with the shared objects in their places. */
export function readRecording(file: string): JsonObject {
  sharedObjects ??= parse('objects.json');
  return followed(parse(file), sharedObjects) as JsonObject;
}

function parse(file: string): JsonObject {
  return JSON.parse(readFileSync(join(transcriptsFolder, file), 'utf8')) as JsonObject;
}

function followed(value: Json, objects: JsonObject): Json {
  if (Array.isArray(value)) return value.map((item) => followed(item, objects));
  if (!isObject(value)) return value;
  const reference = value['$ref'];
  if (typeof reference === 'string')
    return followed(objects[reference.replace(/^objects\.json#\//, '')] ?? null, objects);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, followed(item, objects)]])),
  );
}
