/** `Arena` is where candidates compete for one Lease, in a namespace of its own. */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { leases, type Lease } from '../../packages/kube/src/leader-election/lease.ts';
import { LeadershipLost } from '../../packages/kube/src/leader-election/term.ts';
import { Candidate, type CandidateOptions } from './candidate.ts';
import type { RuntimeCase } from './case.ts';
import type { FaultProxy } from './fault-proxy.ts';
import type { Harness } from './harness.ts';
import { until } from './until.ts';

export interface Arena {
  readonly namespace: string;
  /** A proxy for a single candidate. */
  newProxy(): Promise<FaultProxy>;
  enter(identity: string, options?: Partial<CandidateOptions> & { readonly proxy?: FaultProxy }): Candidate;
  lease(): Promise<Lease>;
  /** Deletes the Lease, and creates another like it if requested. */
  remove(again: 'and leaves it' | 'and recreates it'): Promise<void>;
  /** Changes the Lease as another client would. */
  change(spec: Lease['spec'], metadata?: Partial<Lease['metadata']>): Promise<void>;
}

const key = (namespace: string): { namespace: string; name: string } => ({ namespace, name: 'leader' });

async function withArena(harness: Harness, play: (arena: Arena) => Promise<void>): Promise<void> {
  const namespace = await harness.namespace('election');
  const entered: Candidate[] = [];
  const lease = (): Promise<Lease> => harness.direct.get(leases, key(namespace));
  try {
    await play({
      namespace,
      newProxy: () => harness.newProxy(),
      enter(identity, { proxy, ...options } = {}) {
        const client = harness.client(proxy === undefined ? {} : { proxy });
        const candidate = new Candidate({ client, namespace, identity, ...options });
        entered.push(candidate);
        return candidate;
      },
      lease,
      async change(spec, metadata = {}) {
        const found = await lease();
        const changed = { ...found, metadata: { ...found.metadata, ...metadata }, spec: { ...found.spec, ...spec } };
        await harness.direct.update(leases, changed);
      },
      async remove(again) {
        const { spec } = await lease();
        await harness.direct.delete(leases, key(namespace));
        if (again === 'and recreates it')
          await harness.direct.create(leases, { metadata: key(namespace), ...defined({ spec }) });
      },
    });
  } finally {
    await Promise.all(entered.map((candidate) => candidate.quit()));
  }
}

export const isPut = ({ verb }: { readonly verb: string }): boolean => verb === 'update';
export const isGet = ({ verb }: { readonly verb: string }): boolean => verb === 'get';

/** Checks that the candidate has lost the lease, and why. */
export async function lost(candidate: Candidate, why: RegExp): Promise<void> {
  await until('the lease is lost', () => candidate.ended);
  const how = await candidate.done;
  assert.ok(how instanceof LeadershipLost, `ended with ${String(how)}`);
  assert.match(how.message, why);
  assert.equal(candidate.term?.signal.aborted, true);
}

export const election = (id: string, name: string, play: (arena: Arena) => Promise<void>): RuntimeCase => ({
  id,
  name,
  run: (harness) => withArena(harness, play),
});
