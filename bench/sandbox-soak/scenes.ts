/**
 * Longer scenarios that end in the state in which they began: a namespace with content, an owner with dependents, a
 * definition with objects.
 */
import type { JsonObject, KubeObject } from '../../packages/sandbox/src/values/json.ts';
import type { Dice } from '../../test/conformance/dice.ts';
import type { Call } from '../sandbox/connection.ts';
import { ownDefinition } from '../sandbox/own-definition.ts';
import type { Caller, Outcome } from './caller.ts';
import { kinds } from './kinds.ts';
import { finalizer } from './model.ts';
import { pause, type World } from './world.ts';

/** Scenes create and delete the objects with this in their name. */
export const scenePrefix = 'scene-';

/** How often a step is tried: with pauses that grow to 200 ms this is about half a minute on a server that answers. */
const attempts = 150;

interface Stage {
  readonly world: World;
  readonly caller: Caller;
  readonly id: string;
}

type Answered = Outcome & { is: 'answer' };
type Scene = (stage: Stage, dice: Dice) => Promise<void>;

export async function playScene(world: World, caller: Caller, dice: Dice, id: string): Promise<void> {
  const scene = dice.pick(scenes);
  await scene({ world, caller, id: `${scenePrefix}${id}` }, dice);
  world.counts.scenes++;
}

const scenes: readonly Scene[] = [namespaceWithContent, ownerWithDependents, definitionWithObjects];

async function namespaceWithContent(stage: Stage, dice: Dice): Promise<void> {
  const { id } = stage;
  const path = `/api/v1/namespaces/${id}`;
  await create(stage, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: id } });
  const held: string[] = [];
  for (let i = 0; i < 2 + dice.below(4); i++) {
    const kind = dice.pick(kinds);
    const object = kind.object(`content-${i}`, i);
    if (dice.chance(0.3)) {
      object.metadata = { ...object.metadata, finalizers: [finalizer] };
      held.push(`${kind.collection(id)}/content-${i}`);
    }
    await create(stage, kind.collection(id), object);
  }
  await until(stage, { method: 'DELETE', path }, [200, 404, 409], () => true);
  for (const one of held) await until(stage, release(one), [200, 404], () => true);
  await until(stage, { method: 'GET', path }, [200, 404], ({ status }) => status === 404);
  for (const kind of kinds) await expectNone(stage, kind.collection(id));
}

async function ownerWithDependents(stage: Stage): Promise<void> {
  const { id } = stage;
  const [kind] = kinds as [(typeof kinds)[number]];
  const collection = kind.collection('soak-0');
  await create(stage, collection, kind.object(id, 0));
  const owner = await until(stage, { method: 'GET', path: `${collection}/${id}` }, [200, 404], () => true);
  if (owner?.status !== 200) {
    stage.world.violations.add(`${collection}/${id} was created and is not there`);
    return;
  }
  const { uid = '' } = (owner.body as KubeObject).metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: id, uid }];
  for (let i = 0; i < 3; i++) {
    const object = kind.object(`${id}-${i}`, i);
    object.metadata = { ...object.metadata, ownerReferences };
    await create(stage, collection, object);
  }
  const policy = JSON.stringify({ propagationPolicy: 'Foreground' });
  await until(stage, { method: 'DELETE', path: `${collection}/${id}`, body: policy }, [200, 404], () => true);
  for (const name of [id, `${id}-0`, `${id}-1`, `${id}-2`])
    await until(stage, { method: 'GET', path: `${collection}/${name}` }, [200, 404], ({ status }) => status === 404);
}

async function definitionWithObjects(stage: Stage): Promise<void> {
  const { id } = stage;
  const group = `${id}.example.org`;
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const path = `${definitions}/virtualmachines.${group}`;
  const collection = `/apis/${group}/v1/namespaces/soak-0/virtualmachines`;
  const spec = { ...(ownDefinition['spec'] as JsonObject), group };
  await create(stage, definitions, { ...ownDefinition, metadata: { name: `virtualmachines.${group}` }, spec });
  await until(stage, { method: 'GET', path }, [200], ({ body }) => isEstablished(body));
  for (let i = 0; i < 3; i++) {
    const object = { apiVersion: `${group}/v1`, kind: 'VirtualMachine', metadata: { name: `content-${i}` }, spec: {} };
    await create(stage, collection, object);
  }
  await until(stage, { method: 'DELETE', path }, [200, 404], () => true);
  await until(stage, { method: 'GET', path }, [200, 404], ({ status }) => status === 404);
  await until(stage, { method: 'GET', path: collection }, [200, 404], ({ status }) => status === 404);
}

function isEstablished(body: JsonObject): boolean {
  // The server shows null until there is a first condition.
  const { conditions } = (body['status'] ?? {}) as { conditions?: { type: string; status: string }[] | null };
  return (conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True');
}

const release = (path: string): Call => ({
  method: 'PATCH',
  path,
  type: 'application/merge-patch+json',
  body: JSON.stringify({ metadata: { finalizers: null } }),
});

/** If the object already exists, an attempt whose answer was lost created it. */
async function create(stage: Stage, path: string, object: JsonObject): Promise<void> {
  await until(stage, { method: 'POST', path, body: JSON.stringify(object) }, [201, 409], () => true);
}

async function expectNone(stage: Stage, path: string): Promise<void> {
  const list = await until(stage, { method: 'GET', path }, [200], () => true);
  const { items = [] } = (list?.body ?? {}) as { items?: KubeObject[] };
  // A lagging replica may still show them.
  const left = stage.world.desk.wasOn('stale-list', performance.now() - 1000) ? [] : items;
  if (left.length > 0) stage.world.violations.add(`${path} has ${left.length} objects, and its namespace is gone`);
}

/** Repeats the call until the answer is as expected, and reports a violation if it never is. */
async function until(
  { world, caller }: Stage,
  call: Call,
  expected: readonly number[],
  wanted: (answer: Answered) => boolean,
): Promise<Answered | undefined> {
  let last: Answered | undefined;
  for (let attempt = 0; attempt < attempts; attempt++) {
    // Waits at the gate: nothing may change during a quiet point.
    const outcome = await world.writing.step(() => caller.send(call, expected));
    if (outcome.is === 'answer') {
      last = outcome;
      if (wanted(outcome)) return outcome;
    }
    await pause(Math.min(200, 10 * (attempt + 1)));
  }
  const shown = JSON.stringify(last?.body ?? null).slice(0, 300);
  world.violations.add(`${call.method} ${call.path} did not come to its end: at last ${last?.status} ${shown}`);
  return undefined;
}
