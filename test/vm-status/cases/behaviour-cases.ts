/** The behavior of the controller on the sandbox and on a real kube-apiserver: each case in a namespace of its own. */
import { after, before, describe } from 'node:test';
import { bindingTests } from './binding-cases.ts';
import { lifeTests } from './life-cases.ts';
import { eventTests, reportTests } from './report-cases.ts';
import { restartTests } from './restart-cases.ts';
import { Scene, type Running, type SceneCluster } from '../scene.ts';
import { troubleTests } from './trouble-cases.ts';

export function behaviourCases(start: () => Promise<SceneCluster>): void {
  describe('the vm-controller', () => {
    let scene: Scene;
    let running: Running;
    before(async () => {
      scene = await Scene.start({ start, settings: { maxRetries: 3 } });
      running = await scene.control();
    });
    after(() => scene?.stop());
    const theScene = (): Scene => scene;
    const theRunning = (): Running => running;

    describe('side by side', { concurrency: true }, () => {
      troubleTests(theScene);
      bindingTests(theScene);
      lifeTests(theScene);
      reportTests(theScene, theRunning);
    });

    describe('one after the other', () => {
      eventTests(theScene, theRunning);
      restartTests(theScene, theRunning, (by) => void (running = by));
    });
  });
}
