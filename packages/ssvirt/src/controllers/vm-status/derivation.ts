/** `Derivation` derives what is written of a VM from the facts of its objects, at the moment of writing. */
import { defined } from '@ssvirt/base/values/defined';
import { parseKey } from '@ssvirt/kube/object';
import type { VappObservation, VmObservation } from '../../db/observations/contracts.ts';
import { observeMachine } from '../../kubevirt/status/observe.ts';
import { observeTemplateInstance } from '../../kubevirt/status/template-instance.ts';
import type { ClusterWatch } from './watch/cluster-watch.ts';
import type { Mark } from './write/pending.ts';
import type { Returned } from './watch/returned.ts';
import type { Troubles } from './troubles.ts';
import type { Source } from './write/writer.ts';

export interface DerivationParts {
  /** Undefined if the cluster has left or is not admitted. */
  readonly watchOf: (cluster: string) => ClusterWatch | undefined;
  readonly troubles: Troubles;
  readonly returned: Returned;
}

export class Derivation implements Source {
  readonly #parts: DerivationParts;

  constructor(parts: DerivationParts) {
    this.#parts = parts;
  }

  observe({ cluster, key }: Mark): VmObservation | undefined {
    const { watchOf, troubles, returned } = this.#parts;
    const machine = watchOf(cluster)?.scopeOf(key)?.machine(key);
    if (machine === undefined) {
      troubles.end(cluster, key);
      return undefined;
    }
    const { vm, template } = machine;
    const self = { cluster, key, uid: vm.uid };
    const seen = observeMachine(machine, (trouble) => troubles.ageMs(self, trouble));
    const { recheckAfterMs, ...row } = seen;
    if (row.trouble === undefined) troubles.end(cluster, key);
    else troubles.note(self, row.trouble, recheckAfterMs);
    const { namespace = '', name } = parseKey(key);
    const vappId = vm.vappId ?? template?.facts.vappId;
    return {
      ...row,
      cluster,
      namespace,
      name,
      uid: vm.uid,
      generation: vm.generation,
      ...(returned.has({ cluster, key }, vm.uid) ? { returned: true } : {}),
      ...defined({ vappId }),
      ...(template === undefined ? {} : { vappName: template.name }),
    };
  }

  observeVapp({ cluster, key }: Mark): VappObservation | undefined {
    const found = this.#parts.watchOf(cluster)?.scopeOf(key)?.templateInstance(key);
    if (found === undefined) return undefined;
    const { namespace = '', name } = parseKey(key);
    const { vappId } = found.facts;
    return {
      cluster,
      namespace,
      name,
      uid: found.uid,
      ...observeTemplateInstance(found.facts),
      ...defined({ vappId }),
    };
  }
}
