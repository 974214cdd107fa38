/** Migrations. */
import { scenarios, unit, type SimulatorDefect } from '../defect.ts';

const at = (file: string): string => `kubevirt/migration/${file}.ts`;

export const migrationDefects: readonly SimulatorDefect[] = [
  {
    name: 'a target pod that ends is waited for',
    file: at('decide'),
    find: 'if (target !== undefined && isPodFinal(target))',
    replace: 'if (false)',
    noticedBy: scenarios('migration/fail-target-pod'),
  },
  {
    name: 'the target node is not told that it is meant',
    file: at('hand-over'),
    find: '[labels.targetNode]: nodeOf(target),',
    replace: '',
    noticedBy: unit('kubevirt/migration/target-pod.test.ts'),
  },
  {
    name: 'it is over before the change that it was to bring is there',
    file: at('decide'),
    find: 'if (completed !== true || isChanging(vmi)) return;',
    replace: 'if (completed !== true) return;',
    noticedBy: unit('kubevirt/migration/decide.test.ts'),
  },
  {
    name: 'the pause after failures does not double',
    file: at('waiting'),
    find: 'FIRST_PAUSE_MS : ms * 2',
    replace: 'FIRST_PAUSE_MS : ms',
    noticedBy: unit('kubevirt/migration/waiting.test.ts'),
  },
  {
    name: 'a machine that has grown is moved though KubeVirt may not',
    file: at('workload-update'),
    find: "return textsAt(objectAt(spec, 'workloadUpdateStrategy'), 'workloadUpdateMethods').includes('LiveMigrate');",
    replace: 'return true;',
    noticedBy: {
      file: 'src/sandbox/simulators/kubevirt/migration/simulator.test.ts',
      only: [
        'are made for a machine that grows while it runs, where KubeVirt may move it, and it has grown then',
        'are made by the eviction of a launcher, which waits for them',
      ],
    },
  },
  {
    name: 'a node is left by all at once',
    file: at('slots'),
    find: 'if (leaving + taken >= perNode) return false;',
    replace: '',
    noticedBy: {
      file: 'src/sandbox/simulators/kubevirt/migration/simulator.test.ts',
      only: [
        'of a node that is drained are two at a time',
        'are made by the eviction of a launcher, which waits for them',
      ],
    },
  },
];
