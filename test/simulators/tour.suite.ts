/**
 * The tour that the sandbox prints, typed with a real kubectl: on the sandbox, and on a real kube-apiserver next to
 * which the simulators run.
 */
// needs: kubectl, etcd, kube-apiserver, kube-controller-manager
import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { welcome } from '../../packages/sandbox/src/cli/welcome.ts';
import { throwAwayFolder, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { startRealCluster } from '../cluster/real.ts';
import { kubectls } from '../kubectl/kubectls.ts';
import { until } from '../runtime/until.ts';

const launcher = resolve(import.meta.dirname, '../../bin/ssvirt');
const [kubectl = 'kubectl'] = kubectls();
const limit = 120_000;

interface Place {
  readonly name: string;
  start(folder: string): Promise<{ readonly kubeconfig: string; stop(): Promise<void> }>;
}

const places: readonly Place[] = [
  {
    name: 'the sandbox',
    async start(folder) {
      const kubeconfig = join(folder, 'kubeconfig');
      const stop = await ready(['--listen', '127.0.0.1:0', '--kubeconfig', kubeconfig]);
      return { kubeconfig, stop };
    },
  },
  {
    name: 'a real kube-apiserver',
    async start() {
      const cluster = await startRealCluster({ controllers: ['persistentvolume-binder-controller'] });
      try {
        const stop = await ready(['simulate', '--kubeconfig', cluster.adminKubeconfig, '--log-level', 'warn']);
        const stopBoth = async (): Promise<void> => {
          try {
            await stop();
          } finally {
            await cluster.stop();
          }
        };
        return { kubeconfig: cluster.adminKubeconfig, stop: stopBoth };
      } catch (error) {
        await cluster.stop();
        throw error;
      }
    },
  },
];

/** Starts it, waits for its first output, and resolves to a function that ends it. */
async function ready(args: readonly string[]): Promise<() => Promise<void>> {
  const child: ChildProcess = spawn(launcher, ['sandbox', ...args, '--speed', '10'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 5 * limit,
  });
  const exited = once(child, 'exit');
  const said = child.stdout === null ? exited : once(child.stdout, 'data', { signal: AbortSignal.timeout(limit) });
  await Promise.race([said, exited.then(([code]) => Promise.reject(new Error(`it ended with ${String(code)}`)))]);
  return async () => {
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  };
}

for (const place of places) {
  describe(`the tour on ${place.name}`, () => {
    let folder: ThrowAwayFolder;
    let started: Awaited<ReturnType<Place['start']>>;
    before(async () => {
      folder = await throwAwayFolder('ssvirt-tour-');
      started = await place.start(folder.path);
    });
    after(async () => {
      await started?.stop();
      await folder?.remove();
    });

    const sh = async (line: string): Promise<string> => {
      const path = `${dirname(kubectl)}${delimiter}${process.env['PATH'] ?? ''}`;
      const env = { PATH: path, HOME: folder.path, KUBECONFIG: started.kubeconfig };
      return (await promisify(execFile)('sh', ['-euc', line], { env, timeout: limit })).stdout;
    };

    test('every command does what it says', async () => {
      const text = welcome({
        clusters: [],
        kubeconfig: started.kubeconfig,
        milliseconds: 0,
        hasKubectl: true,
        hasMachines: true,
      });
      const lines = text.split('\n').filter((line) => /^ {2}(kubectl|echo)/.test(line));
      const says = [
        /^demo +stopped .* Stopped/m,
        /"kind":"VirtualMachine"/,
        /^virtualmachine\.kubevirt\.io\/web condition met$/m,
        /^/,
        /^virtualmachine\.kubevirt\.io\/web +\S+ +(Stopping|Stopped|Running)/m,
        /^virtualmachine\.kubevirt\.io "web" deleted/m,
      ];
      assert.equal(lines.length, says.length, text);
      // The samples are created in the background, and the tour uses one of them.
      await until('the template is there', async () => (await sh('kubectl -n demo get vmt fedora -o name')) !== '', {
        deadlineMs: limit,
        everyMs: 200,
      });
      await until('the samples are there', async () => /stopped .* Stopped/.test(await sh('kubectl -n demo get vm')), {
        deadlineMs: limit,
        everyMs: 200,
      });
      for (const [i, line] of lines.entries()) assert.match(await sh(line), says[i] ?? assert.fail(), line);
      const left = 'kubectl -n demo get vm,vmi,pod,pvc,dv -o name | grep -w web || true';
      await until('all of it is gone', async () => (await sh(left)) === '', { deadlineMs: limit, everyMs: 200 });
    });
  });
}
