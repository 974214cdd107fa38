/** Short enough for a test; a request still has time on a busy machine. */
import type { ApiServerTimes } from '../../../src/processes/api-server/process.ts';

/** How many virtual data centers are under way at a time. */
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
    // What was late may come when its row is gone.
    sweepMs: 3_000,
    gatherMs: 50,
    debounceMs: 20,
    idleMs: 300,
    overdueMs: 300,
  },
};
