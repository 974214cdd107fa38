/** M: the manager, health and metrics. */
import type { RuntimeDefect } from '../defect.ts';

const tests = ['src/kube/manager/manager.test.ts'];
const serving = ['src/kube/manager/serving.test.ts'];

export const managerDefects: readonly RuntimeDefect[] = [
  {
    id: 'M1',
    name: 'caches end before those who read them',
    file: 'kube/manager/manager.ts',
    find: '[this.#leaders, this.#workers, this.#caches]',
    replace: '[this.#caches, this.#workers, this.#leaders]',
    tests,
  },
  {
    id: 'M1',
    name: 'work begins before the caches are warm',
    file: 'kube/manager/manager.ts',
    find: "await this.#warm(signal, ({ kind }) => kind === 'cache');",
    replace: '',
    tests,
  },
  {
    id: 'M1',
    name: 'health is served no more while the rest ends',
    file: 'kube/manager/manager.ts',
    find: 'const unfinished = await this.#stopGroups();',
    replace: 'await this.#serving.stop();\n    const unfinished = await this.#stopGroups();',
    tests,
  },
  {
    id: 'M2',
    name: 'ready though the caches are cold',
    file: 'kube/manager/manager.ts',
    find: "this.#ready.add('warm-up', () => this.#checkWarm());",
    replace: '',
    tests,
  },
  {
    id: 'M2',
    name: 'a check that fails does not show',
    file: 'kube/manager/checks.ts',
    find: 'results.some(({ ok }) => !ok)',
    replace: 'results.length === 0',
    tests: ['src/kube/manager/checks.test.ts'],
  },
  {
    id: 'M2',
    name: 'a blocked event loop does not show',
    file: 'kube/manager/manager.ts',
    find: 'if (worst > limitMs) throw',
    replace: 'if (false) throw',
    tests,
  },
  {
    id: 'M3',
    name: 'everybody may read protected metrics',
    file: 'kube/manager/serving.ts',
    find: 'if (refused !== undefined) return refused;',
    replace: '',
    tests: serving,
  },
  {
    id: 'M3',
    name: 'metrics are open to the network by mistake',
    file: 'kube/manager/serving.ts',
    find: 'if (at.reviews === undefined && at.open !== true &&',
    replace: 'if (false && at.reviews === undefined &&',
    tests: serving,
  },
  {
    id: 'M3',
    name: 'who may not get the path gets it',
    file: 'kube/manager/metrics-access.ts',
    find: "status['allowed'] === true && status['denied'] !== true",
    replace: "status['denied'] !== true",
    tests: serving,
  },
  {
    id: 'M4',
    name: 'the manager ends without the error that stopped it',
    file: 'kube/manager/manager.ts',
    find: 'else this.#error = err;',
    replace: '',
    tests,
  },
  {
    id: 'M4',
    name: 'the last error hides the first',
    file: 'kube/manager/manager.ts',
    find: "if (this.#error !== undefined || this.#state === 'stopping')\n",
    replace: "this.#error = err;\n    if (this.#state === 'stopping')\n",
    tests,
  },
  {
    id: 'M4',
    name: 'a second signal is not heard',
    file: 'kube/manager/run-until-signal.ts',
    find: "log.error({ signal: name }, 'asked a second time: ending at once');",
    replace: 'return;',
    tests: ['test/leadership/processes.test.ts'],
  },
];
