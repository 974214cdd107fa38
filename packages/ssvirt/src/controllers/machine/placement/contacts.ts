/**
 * `Contacts` checks whether a cluster answers before a Machine is placed there. A placed Machine never moves, because
 * something may have been created for it. So it is placed only on a cluster that has just answered, and a Machine whose
 * cluster was never reached can still go elsewhere.
 */
import { KubeError } from '@ssvirt/kube/errors';
import { FleetError, type Fleet } from '../../../fleet/fleet.ts';
import { localName } from '../../../fleet/kubevirtconfig/kubevirt-config.ts';
import { virtualMachines } from '../../../fleet/kinds.ts';
import { vmName } from '../../../kubevirt/machine/names.ts';
import type { Machine } from '../machine-types.ts';
import { silenceOf, whyUnavailable } from '../operator.ts';

/** An answer counts for all Machines of the cluster during this time. */
const reachedForMs = 1000;
/** A failure counts longer, so that a hanging cluster does not delay the placement of other Machines. */
const silentForMs = 5000;
const deadlineMs = 5000;

interface Answer {
  readonly at: number;
  /** Undefined if the cluster has answered. */
  readonly silence: string | undefined;
}

type Asked = Pick<Fleet, 'cluster' | 'stateOf' | 'getClientForConfig'>;

export class Contacts {
  readonly #fleet: Asked;
  readonly #answers = new Map<string, Answer>();
  readonly #asking = new Map<string, Promise<Answer>>();

  constructor(fleet: Asked) {
    this.#fleet = fleet;
  }

  /**
   * `silence` resolves to why the cluster cannot be reached, or to undefined if it answers. Rejects only if the signal
   * is aborted.
   */
  async silence(cluster: string, machine: Machine, signal: AbortSignal): Promise<string | undefined> {
    // The Machine itself was read from this cluster.
    if (cluster === localName) return undefined;
    const known = this.known(cluster);
    if (known !== undefined) return known;
    const last = this.#answers.get(cluster);
    if (last !== undefined && performance.now() - last.at < validMs(last)) return last.silence;
    const asking = this.#asking.get(cluster) ?? this.#ask(cluster, machine);
    this.#asking.set(cluster, asking);
    const { silence } = await asking;
    signal.throwIfAborted();
    return silence;
  }

  /** `known` returns what the fleet already knows, without a request. */
  known(cluster: string): string | undefined {
    if (cluster === localName) return undefined;
    if (this.#fleet.cluster(cluster) === undefined) return whyUnavailable(this.#fleet, cluster);
    return silenceOf(this.#fleet, cluster);
  }

  async #ask(cluster: string, machine: Machine): Promise<Answer> {
    try {
      const silence = await this.#look(cluster, machine);
      const answer = { at: performance.now(), silence };
      this.#answers.set(cluster, answer);
      return answer;
    } finally {
      this.#asking.delete(cluster);
    }
  }

  async #look(cluster: string, { metadata: { namespace = '', name = '' } }: Machine): Promise<string | undefined> {
    try {
      const client = this.#fleet.getClientForConfig(cluster);
      const key = { namespace, name: vmName(name) };
      await client.get(virtualMachines, key, { metadataOnly: true, signal: AbortSignal.timeout(deadlineMs) });
      return undefined;
    } catch (error) {
      if (isAnswer(error)) return undefined;
      if (error instanceof KubeError && error.kind === 'Aborted')
        return `cannot use cluster "${cluster}": no answer within ${deadlineMs / 1000} s`;
      if (error instanceof KubeError || error instanceof FleetError) return error.message;
      throw error;
    }
  }
}

/**
 * Whether the cluster itself has answered. Then the controller that works there reports what is wrong. An answer
 * without a Status came from something in front of the API server.
 */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof KubeError) || error.status === undefined) return false;
  const { code = 0 } = error;
  return code >= 400 && code < 500 && ![401, 408, 429].includes(code);
}

function validMs({ silence }: Answer): number {
  return silence === undefined ? reachedForMs : silentForMs;
}
