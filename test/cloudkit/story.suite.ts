/**
 * The samples of orders by kubectl, on the sandbox and on a real kube-apiserver with its garbage collector; run by
 * .ci/run.
 */
// needs: etcd, kube-apiserver, kube-controller-manager, kubectl
// only in make test-all: the commands of docs/ apply orders by kubectl
import { suite } from 'node:test';
import { startRealCluster } from '../cluster/real.ts';
import { startMemberCluster } from '../fleet/sandboxes.ts';
import { storyCases } from './story-cases.ts';

suite('on the sandbox', () => storyCases(() => startMemberCluster('story')));

suite('on a real kube-apiserver', () =>
  storyCases(() => startRealCluster({ controllers: ['persistentvolume-binder-controller'] })),
);
