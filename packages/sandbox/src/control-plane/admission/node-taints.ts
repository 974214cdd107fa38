/** TaintNodesByCondition: a new node accepts no pods until it is reported ready. */
import { ensureObject, listAt, textAt } from '../../objects/kinds/values/fields.ts';
import type { AdmissionPlugin } from './admission.ts';
import { isCore } from './stored.ts';

const TAINT = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

export function nodeTaints(): AdmissionPlugin {
  return {
    name: 'TaintNodesByCondition',
    mutate(request) {
      if (!isCore(request, 'nodes') || request.operation !== 'CREATE' || request.object === undefined) return;
      const spec = ensureObject(request.object, 'spec');
      const taints = listAt(spec, 'taints');
      const tainted = taints.some(
        (taint) => textAt(taint, 'key') === TAINT.key && textAt(taint, 'effect') === TAINT.effect,
      );
      if (!tainted) spec['taints'] = [...taints, { ...TAINT }];
    },
  };
}
