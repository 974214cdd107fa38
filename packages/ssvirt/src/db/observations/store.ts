/** Stores what the vm-controller observes as rows. The contract is in contracts.ts; each statement has its own file. */
import type { Pool } from 'pg';
import { boundVms } from './bound-vms.ts';
import {
  clusterValues,
  readClusters,
  recordedCluster,
  writeCluster,
  writeContact,
  writeClusterDetails,
  type ClusterStateRow,
} from './cluster-statement.ts';
import { runRows } from './connection.ts';
import type { ObservationStore, TroubledVm } from './contracts.ts';
import { fenceOf } from './fence.ts';
import { jsonParameter } from './json.ts';
import { vappOutcomes, vappsParameter, writeVapps, type VappAnswerRow } from './vapp-statement.ts';
import { batchParameter, batchResult, type AnswerRow } from './vm-batch.ts';
import { writeVms } from './vm-statement.ts';

const readTroubledVms = `
  SELECT cluster, namespace, name, uid, trouble,
    greatest(0, extract(epoch FROM clock_timestamp() - trouble_since) * 1000)::float8 AS "ageMs"
  FROM vm_observed WHERE trouble IS NOT NULL AND NOT gone`;

/** The writer should have its own pool: its connections are configured for these statements (connection.ts). */
export function createObservationStore(pool: Pool): ObservationStore {
  const fence = fenceOf(pool);
  return {
    async write(term, sequence, batch, signal) {
      const rows = await fence.run<AnswerRow>(term, writeVms, [sequence, batchParameter(batch)], signal);
      return batchResult(batch, rows);
    },
    async writeVapps(term, sequence, vapps, signal) {
      const rows = await fence.run<VappAnswerRow>(term, writeVapps, [sequence, vappsParameter(vapps)], signal);
      return vappOutcomes(vapps.length, rows);
    },
    boundVms: (cluster, options) => boundVms(pool, cluster, options),
    async troubledVms() {
      return (await runRows<TroubledVm>(pool, { text: readTroubledVms })).rows;
    },
    async clusters() {
      const { rows } = await runRows<ClusterStateRow>(pool, { text: readClusters });
      return rows.map(recordedCluster);
    },
    async writeCluster(term, state) {
      await fence.run(term, writeCluster, clusterValues(state));
    },
    async writeClusterDetails(term, cluster, details) {
      await fence.run(term, writeClusterDetails, [cluster, jsonParameter(details)]);
    },
    async clock() {
      const text = 'SELECT extract(epoch FROM clock_timestamp())::float8 AS now';
      const { rows } = await runRows<{ now: number }>(pool, { name: 'ssvirt_clock', text });
      return rows[0]!.now;
    },
    async contacted(term, { cluster, began, countsForMs }) {
      const values = [cluster, began, countsForMs / 1000];
      const rows = await fence.run<[number | null]>(term, writeContact, values);
      return rows.some(([written]) => written !== null);
    },
    async vdcNamespaces() {
      const text = 'SELECT cluster, namespace FROM vdcs WHERE deleted_at IS NULL ORDER BY cluster, namespace';
      return (await runRows<{ cluster: string; namespace: string }>(pool, { text })).rows;
    },
  };
}
