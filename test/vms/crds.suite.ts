/**
 * The objects of the builders, on a real kube-apiserver with the CRDs that KubeVirt and CDI publish; run by .ci/run.
 * The CRDs are not part of this repository: SSVIRT_TEST_UPSTREAM_CRDS names their folder.
 */
// needs: etcd, kube-apiserver, kube-controller-manager
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { suite } from 'node:test';
import { startRealCluster } from '../cluster/real.ts';
import { notRun } from '../not-run.ts';
import { strictCases } from './strict-cases.ts';

const crds = resolve(
  process.env['SSVIRT_TEST_UPSTREAM_CRDS'] ?? join(import.meta.dirname, '../../../shared/upstream-crds'),
);
const skip = existsSync(crds)
  ? false
  : notRun('test/vms/crds.suite.ts', `needs the CRDs of KubeVirt and CDI in ${crds}`);

suite('with the CRDs of KubeVirt and CDI', { skip }, () => {
  strictCases({ start: () => startRealCluster(), crds, anyMachines: 50 });
});
