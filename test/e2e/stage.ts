/** The context of a run: the cluster, unique names, and known facts about the cluster. */
import { randomBytes } from 'node:crypto';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { isNotFound } from '../../packages/kube/src/errors.ts';
import type { ObjectKey, Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import type { Journal } from './journal.ts';
import { instances, part, text } from './kinds.ts';
import type { Options } from './options.ts';
import { waitUntil, type Sight } from './wait.ts';

/** A label on everything that a run itself creates in the cluster, with the name of the run. */
export const runLabel = 'ssvirt.io/e2e';

export interface Names {
  /** `e2e-` and six letters; also the organization of the tenant. */
  readonly run: string;
  /** The namespace of the Leases, and of KubevirtConfigs, of which there are none. */
  readonly system: string;
  readonly machines: string;
  readonly orders: string;
  readonly tenant: string;
}

export function newNames(): Names {
  const run = `e2e-${randomBytes(3).toString('hex')}`;
  return {
    run,
    system: `ssvirt-${run}`,
    machines: `ssvirt-${run}-machines`,
    orders: `ssvirt-${run}-orders`,
    tenant: `ssvirt-${run}-tenant`,
  };
}

export class Stage {
  readonly client: Client;
  readonly options: Options;
  readonly names: Names;
  readonly journal: Journal;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;

  constructor(parts: Pick<Stage, 'client' | 'options' | 'names' | 'journal' | 'signal'>) {
    ({
      client: this.client,
      options: this.options,
      names: this.names,
      journal: this.journal,
      signal: this.signal,
    } = parts);
  }

  wait<T>(what: string, look: () => Promise<Sight<T>>): Promise<T> {
    const { journal, signal } = this;
    return waitUntil(what, look, { journal, signal, deadlineMs: this.options.timeoutMs });
  }

  async find(type: ResourceType, key: ObjectKey): Promise<Unstructured | undefined> {
    try {
      return await this.client.get(type, key);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Resolves to what KubeVirt reports about where it runs. */
  async untilRuns(key: ObjectKey, butNot?: string): Promise<string> {
    return this.wait(`the instance of ${key.name} runs`, async () => {
      const found = await this.find(instances, key);
      if (found === undefined) return { seen: `no instance of ${key.name} yet` };
      const { phase, nodeName, interfaces } = part(found, 'status');
      const place = `${text(nodeName) === '' ? 'no node' : `node ${text(nodeName)}`}${addressOf(interfaces)}`;
      const seen = `instance of ${key.name}: ${text(phase) || 'no phase'}, ${place}`;
      if (phase === 'Failed') return { seen, hopeless: true };
      return phase === 'Running' && found.metadata.uid !== butNot ? { seen, found: place } : { seen };
    });
  }

  async untilGone(what: string, ...all: readonly (readonly [ResourceType, ObjectKey])[]): Promise<void> {
    await this.wait(`${what} is gone`, async () => {
      const left: string[] = [];
      for (const [type, key] of all)
        if ((await this.find(type, key)) !== undefined) left.push(`${type.kind} ${key.name}`);
      return left.length === 0 ? { seen: `${what} is gone`, found: true } : { seen: `still there: ${left.join(', ')}` };
    });
  }
}

function addressOf(interfaces: unknown): string {
  const [first] = Array.isArray(interfaces) ? (interfaces as readonly { readonly ipAddress?: string }[]) : [];
  return first?.ipAddress === undefined ? '' : `, address ${first.ipAddress}`;
}
