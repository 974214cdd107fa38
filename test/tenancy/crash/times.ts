/** Short enough for a test; a request still has time on a busy host. */
import type { ApiServerTimes } from '../../../packages/ssvirt/src/processes/api-server/process.ts';

/** The number of concurrent operations on VDCs. */
export const atOnce = 24;

export const times: ApiServerTimes = {
  directory: { intervalMs: 200, retryMs: 50 },
  idleInTransactionMs: 3_000,
  tenancy: {
    workers: { vdc: atOnce, vapp: atOnce, vm: atOnce },
    leaseMs: 3_500,
    requestMs: 1_200,
    retryMs: 50,
    maxRetryMs: 300,
    refusedRetryMs: 200,
    waitMs: 100,
    maxWaitMs: 500,
    confirmMs: 2_000,
    // A delayed write may arrive after its row is gone.
    sweepMs: 3_000,
    gatherMs: 50,
    debounceMs: 20,
    idleMs: 300,
    overdueMs: 300,
  },
};
