/** The six metrics of the operator, with the names of its reference. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { isConflict, KubeError } from '@ssvirt/kube/errors';

const reconcileSeconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const storageSeconds = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];
/** Users choose the names of networks. The limit protects the metrics server from too many series. */
const mostNetworks = 1000;

export interface MachineCensus {
  /** One entry for each Machine. */
  machines(): Iterable<{ readonly phase: string; readonly template: string }>;
  /** KubeVirt's status of each VM of ours. */
  virtualMachines(): Iterable<string>;
}

export class MachineMetrics {
  readonly #seconds: Histogram<'controller'>;
  readonly #errors: Counter<'controller' | 'error_type'>;
  readonly #storage: Histogram<'storage_class'>;
  readonly #network: Counter<'network_name'>;
  readonly #networks = new Set<string>();

  constructor(registry: Registry, census: MachineCensus) {
    const registers = [registry];
    showCensus(registers, census);
    this.#seconds = new Histogram({
      name: 'kubevirt_operator_reconciliation_duration_seconds',
      help: 'How long a reconciliation takes',
      labelNames: ['controller'],
      buckets: reconcileSeconds,
      registers,
    });
    this.#errors = new Counter({
      name: 'kubevirt_operator_reconciliation_errors_total',
      help: 'Reconciliations that failed, and problems found, by reason',
      labelNames: ['controller', 'error_type'],
      registers,
    });
    this.#storage = new Histogram({
      name: 'kubevirt_operator_storage_provisioning_duration_seconds',
      help: 'Time from the creation of a claim until it is bound',
      labelNames: ['storage_class'],
      buckets: storageSeconds,
      registers,
    });
    this.#network = new Counter({
      name: 'kubevirt_operator_network_configuration_errors_total',
      help: 'Networks that could not be attached to a Machine',
      labelNames: ['network_name'],
      registers,
    });
  }

  async timed<T>(controller: string, work: () => Promise<T>): Promise<T> {
    const end = this.#seconds.startTimer({ controller });
    try {
      return await work();
    } catch (error) {
      // A conflict only means that another write came first.
      if (!isConflict(error)) this.failed(controller, typeOf(error));
      throw error;
    } finally {
      end();
    }
  }

  failed(controller: string, type: string): void {
    this.#errors.inc({ controller, error_type: type });
  }

  provisioned(storageClass: string, seconds: number): void {
    this.#storage.observe({ storage_class: storageClass }, seconds);
  }

  networkFailed(name: string): void {
    if (this.#networks.size < mostNetworks) this.#networks.add(name);
    this.#network.inc({ network_name: this.#networks.has(name) ? name : 'others' });
  }
}

function typeOf(error: unknown): string {
  if (error instanceof KubeError) return error.kind;
  return error instanceof Error ? error.name : 'Unknown';
}

/** Computed from the caches at each scrape. */
function showCensus(registers: Registry[], census: MachineCensus): Readonly<Record<string, Gauge>> {
  return {
    machines: new Gauge({
      name: 'kubevirt_operator_machines_total',
      help: 'Machines by phase and template',
      labelNames: ['phase', 'template'],
      registers,
      collect() {
        this.reset();
        for (const machine of census.machines()) this.inc({ ...machine });
      },
    }),
    virtualMachines: new Gauge({
      name: 'kubevirt_operator_virtual_machines_total',
      help: 'VirtualMachines of Machines in all clusters, by the status that KubeVirt reports',
      labelNames: ['status'],
      registers,
      collect() {
        this.reset();
        for (const status of census.virtualMachines()) this.inc({ status });
      },
    }),
  };
}
