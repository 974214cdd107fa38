/** DefaultTolerationSeconds: by default, pods stay for five minutes on a node that is lost. */
import { ensureObject, listAt, textAt } from '../../objects/kinds/values/fields.ts';
import type { AdmissionPlugin } from './admission.ts';
import { isCore } from './stored.ts';

const TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const EFFECT = 'NoExecute';
const SECONDS = 300;

export function defaultTolerations(): AdmissionPlugin {
  return {
    name: 'DefaultTolerationSeconds',
    mutate(request) {
      if (!isCore(request, 'pods') || request.object === undefined) return;
      const spec = ensureObject(request.object, 'spec');
      const given = listAt(spec, 'tolerations');
      const tolerated = (key: string): boolean =>
        given.some(
          (toleration) =>
            ['', key].includes(textAt(toleration, 'key')) && ['', EFFECT].includes(textAt(toleration, 'effect')),
        );
      const added = TAINTS.filter((key) => !tolerated(key));
      if (added.length === 0) return;
      spec['tolerations'] = [
        ...given,
        ...added.map((key) => ({ key, operator: 'Exists', effect: EFFECT, tolerationSeconds: SECONDS })),
      ];
    },
  };
}
