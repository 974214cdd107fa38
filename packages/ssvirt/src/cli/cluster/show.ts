/** `NOUN list` and `NOUN get`: the objects of a kind, once or as they change. */
import type { KubeObject } from '@ssvirt/kube/object';
import { isNotFound } from '@ssvirt/kube/errors';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { LiveOutput } from '../output/live.ts';
import { printList, printOne } from '../output/print.ts';
import { note } from '../output/streams.ts';
import type { Format } from '../output/view.ts';
import type { Connected } from './connect.ts';
import { follow, type Followed } from './follow.ts';
import { absenceText, nearby } from './nearby.ts';
import type { NamespaceScope } from './scope.ts';
import { forPrograms, viewOf, type ShownKind } from './shown-kind.ts';

export interface Showing {
  readonly format: Format;
  readonly watch: boolean;
  readonly showSecrets: boolean;
}

const patienceMs = 60_000;

export async function showAll<T extends KubeObject>(
  kind: ShownKind<T>,
  { client }: Connected,
  { selection, allNamespaces }: NamespaceScope,
  showing: Showing,
): Promise<void> {
  const { type } = kind;
  if (showing.watch) return showLive(kind, { client, type, selection }, allNamespaces, showing);
  const found: T[] = [];
  const signal = AbortSignal.timeout(patienceMs);
  try {
    for await (const { items } of client.pages(type, { ...selection, signal })) found.push(...items);
  } catch (error) {
    if (isNotFound(error)) throw unserved(kind);
    throw error;
  }
  const sorted = found.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
  printList(viewOf(kind, allNamespaces), showing.format, prepared(kind, sorted, showing));
}

const order = ({ metadata: { namespace = '', name = '' } }: KubeObject): string => `${namespace}/${name}`;

export async function showOne<T extends KubeObject>(
  kind: ShownKind<T>,
  { client }: Connected,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  showing: Showing,
): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs);
  const { type, word } = kind;
  const found = await client.get(type, { namespace, name }, { signal }).catch(async (error: unknown) => {
    if (!isNotFound(error)) throw error;
    const near = await nearby({ client, signal }, type, namespace, name);
    throw new CliFailure(absenceText({ word, type, namespace, name }, near), exitCodes.notFound);
  });
  if (!showing.watch) {
    for (const one of prepared(kind, [found], showing)) printOne(viewOf(kind), showing.format, one);
    return;
  }
  const selection = { namespace, fieldSelector: `metadata.name=${name}` };
  await showLive(kind, { client, type, selection }, false, showing);
}

function unserved<T extends KubeObject>({ plural, type }: ShownKind<T>): CliFailure {
  return new CliFailure(
    `the cluster does not serve ${plural}: apply deploy/crds/${type.plural}.${type.group}.yaml, or choose another cluster with --context`,
    exitCodes.notFound,
  );
}

/** Runs until the user interrupts it. */
async function showLive<T extends KubeObject>(
  kind: ShownKind<T>,
  followed: Followed<T>,
  allNamespaces: boolean,
  showing: Showing,
): Promise<void> {
  const output = new LiveOutput(viewOf(kind, allNamespaces), showing.format);
  const shown = (one: T): T => forPrograms(kind, one, showing.showSecrets);
  const follower = {
    begin(all: readonly T[]) {
      output.begin(prepared(kind, all, showing));
    },
    changed(one: T) {
      output.changed(shown(one));
    },
    gone(one: T) {
      output.gone(shown(one));
    },
  };
  try {
    await follow(followed, follower, new AbortController().signal);
  } catch (error) {
    if (isNotFound(error)) throw unserved(kind);
    throw error;
  }
}

function prepared<T extends KubeObject>(kind: ShownKind<T>, all: readonly T[], showing: Showing): readonly T[] {
  const { format, showSecrets } = showing;
  if (format !== 'json' && format !== 'yaml') return all;
  if (!showSecrets && all.some((one) => kind.withoutSecrets(one) !== one))
    note('data meant only for the guest is left out: --show-secrets prints it');
  return all.map((one) => forPrograms(kind, one, showSecrets));
}
