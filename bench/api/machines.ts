/**
 * Measures instantiations until their tasks end, compared with plain creates of the same objects by the same client on
 * the same Kubernetes API server. Plainly created objects have no ssvirt labels, so no controller works on them.
 */
import type { Call } from '../sandbox/connection.ts';
import type { Harness } from './harness.ts';
import { makeLoad } from './load.ts';
import { numberMark, type Job, type LoadResult } from './load-job.ts';
import { connectionCounts } from './measure.ts';
import type { Options } from './options.ts';
import { plainCreation } from './plain-machine.ts';
import type { Statement } from './postgres.ts';
import { discoveringCatalog, itemId, organizationId } from './rows.ts';

export interface MeasuredMachines extends LoadResult {
  readonly name: string;
  readonly connections: number;
  /** Processor seconds during the load. */
  readonly cpu: Readonly<Record<Costing, number>>;
  /** Of all ssvirt processes, the most expensive first. */
  readonly statements: readonly Statement[];
  /** The name of the plain creates to compare with. */
  readonly raw: string | undefined;
}

export const costing = ['api-server', 'PostgreSQL', 'sandbox', 'vm-controller'] as const;
export type Costing = (typeof costing)[number];

interface Kind {
  readonly name: string;
  readonly raw: string;
  readonly body: (powerOn: boolean) => object;
}

const template = 'fedora-server-small';
/** Processor seconds in half a second: the cluster no longer imports disks. */
const restingSeconds = 0.05;

export class MachinesBench {
  readonly #harness: Harness;
  readonly #options: Options;
  readonly #say: (text: string) => void;

  constructor(harness: Harness, options: Options, say: (text: string) => void) {
    this.#harness = harness;
    this.#options = options;
    this.#say = say;
  }

  async measure(): Promise<readonly MeasuredMachines[]> {
    const { match } = this.#options;
    const kinds = [ofImage(), ofTemplate(await this.#idOfTemplate())].filter(({ name }) => name.includes(match));
    const found: MeasuredMachines[] = [];
    for (const kind of kinds) {
      const raw = await this.#rawCall(kind);
      for (const connections of connectionCounts) {
        const job = this.#job({ ...this.#harness.cluster, connections, calls: [raw(connections)], status: 201 });
        found.push(await this.#counted({ name: kind.raw, connections, raw: undefined }, job));
      }
      for (const connections of connectionCounts) found.push(await this.#instantiations(kind, connections, false));
    }
    for (const kind of kinds.slice(0, 1)) found.push(await this.#instantiations(kind, 16, true));
    return found;
  }

  /** Each connection uses a VDC of its own, because every request counts what its VDC contains. */
  async #instantiations(kind: Kind, connections: number, powerOn: boolean): Promise<MeasuredMachines> {
    const vdc = await this.#newVdc();
    const name = powerOn ? `${kind.name}, powered on` : kind.name;
    const { url, ca, sessions } = this.#harness;
    const calls = [instantiation(vdc.id, kind.body(powerOn))];
    return this.#counted(
      { name, connections, raw: kind.raw },
      this.#job({ url, ca, token: sessions.tenant, connections, calls, status: 201 }),
    );
  }

  #job(given: Pick<Job, 'url' | 'ca' | 'token' | 'connections' | 'calls' | 'status'>): Job {
    const { seconds, warmUp: warmUpSeconds } = this.#options;
    return { ...given, numbered: true, once: false, seconds, warmUpSeconds };
  }

  async #counted(what: Pick<MeasuredMachines, 'name' | 'connections' | 'raw'>, job: Job): Promise<MeasuredMachines> {
    this.#say(`${what.name}, ${job.connections} connections`);
    await this.#settled();
    const { postgres } = this.#harness;
    let before = this.#cpu();
    let forgotten: Promise<void> | undefined;
    const result = await makeLoad(job, () => {
      before = this.#cpu();
      forgotten = postgres.forgetStatements();
    });
    const after = this.#cpu();
    await forgotten;
    const statements = await postgres.statements();
    const spent = Object.fromEntries(costing.map((name) => [name, after[name] - before[name]]));
    return { ...what, ...result, cpu: spent as MeasuredMachines['cpu'], statements };
  }

  #cpu(): Readonly<Record<Costing, number>> {
    const { server, postgres, sandbox, controller } = this.#harness;
    return {
      'api-server': server.cpuSeconds(),
      PostgreSQL: postgres.cpuSeconds(),
      sandbox: sandbox.cpuSeconds(),
      'vm-controller': controller.cpuSeconds(),
    };
  }

  async #newVdc(): Promise<{ readonly id: string; readonly namespace: string }> {
    const { caller, sessions } = this.#harness;
    const { status, body } = await caller.ask('POST', `/api/admin/org/urn:vcloud:org:${organizationId}/vdcs`, {
      headers: { authorization: `Bearer ${sessions.system}`, prefer: 'wait=60' },
      body: { name: `unlimited-${++made}` },
    });
    if (status !== 201)
      throw new Error(`cannot make a virtual data center: ${status} ${JSON.stringify(body).slice(0, 500)}`);
    return { id: String(body['id']), namespace: String(body['namespace']) };
  }

  /** Reads the id from the list. */
  async #idOfTemplate(): Promise<string> {
    const { caller, sessions } = this.#harness;
    const path = `/cloudapi/1.0.0/catalogs/urn:vcloud:catalog:${discoveringCatalog}/catalogItems?filter=name==${template}`;
    const { status, body } = await caller.ask('GET', path, {
      headers: { authorization: `Bearer ${sessions.tenant}` },
    });
    const [item] = (body['values'] ?? []) as readonly { readonly id: string }[];
    if (item === undefined)
      throw new Error(`the cluster offers no template "${template}": ${status} ${JSON.stringify(body).slice(0, 300)}`);
    return item.id;
  }

  /**
   * Creates the objects that ssvirt created for such an instantiation, in a namespace that ssvirt does not manage;
   * every number gets other names.
   */
  async #rawCall(kind: Kind): Promise<(load: number) => Call> {
    const { caller, sessions, cluster } = this.#harness;
    const vdc = await this.#newVdc();
    const { method, path, headers = {}, body = '' } = instantiation(vdc.id, kind.body(false));
    const answer = await caller.ask(method as 'POST', path, {
      headers: { ...headers, authorization: `Bearer ${sessions.tenant}` },
      body: JSON.parse(body.replaceAll(numberMark, 'model')) as object,
    });
    if (answer.status !== 201)
      throw new Error(`cannot instantiate: ${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`);
    const call = await plainCreation(cluster, vdc.namespace, `plain-${++made}`);
    return (load) => ({ ...call, body: (call.body ?? '').replaceAll(numberMark, `${load}-${numberMark}`) });
  }

  /**
   * Waits until no task runs, the vm-controller has written its observations, and the cluster is idle, so that one load
   * does not pay for another.
   */
  async #settled(): Promise<void> {
    const deadline = performance.now() + 120_000;
    let spent = this.#harness.sandbox.cpuSeconds();
    for (;;) {
      await new Promise((wake) => setTimeout(wake, 500));
      const before = spent;
      spent = this.#harness.sandbox.cpuSeconds();
      if (spent - before > restingSeconds && performance.now() < deadline) continue;
      const { rows } = await this.#harness.postgres.admin.query(
        `SELECT FROM tasks WHERE ended_at IS NULL
         UNION ALL SELECT FROM vms v LEFT JOIN vm_observed o ON o.vm_id = v.id WHERE v.deleted_at IS NULL AND o.vm_id IS NULL LIMIT 1`,
      );
      if (rows.length === 0) return;
      if (performance.now() > deadline) throw new Error('the machines are not settled within 120 s');
    }
  }
}

let made = 0;

function instantiation(vdc: string, body: object): Call {
  return {
    method: 'POST',
    path: `/cloudapi/1.0.0/vdcs/${vdc}/actions/instantiateTemplate`,
    headers: { prefer: 'wait=60' },
    body: JSON.stringify(body),
  };
}

function ofImage(): Kind {
  const parameters = { HOSTNAME: 'bench' };
  const catalogItemId = `urn:vcloud:catalogitem:${itemId(1)}`;
  return {
    name: 'instantiation of a container disk',
    raw: 'plain create of its VirtualMachine',
    body: (powerOn) => ({ name: `machine-${numberMark}`, catalogItemId, parameters, powerOn }),
  };
}

function ofTemplate(catalogItemId: string): Kind {
  return {
    name: "instantiation of OpenShift's template",
    raw: "plain create of the template's VirtualMachine",
    body: (powerOn) => ({
      name: `templated-${numberMark}`,
      catalogItemId,
      parameters: { NAME: `templated-${numberMark}` },
      powerOn,
    }),
  };
}
