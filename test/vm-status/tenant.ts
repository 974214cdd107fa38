/**
 * What the API server would have put into the database: an organization with a VDC in each cluster, a vApp in each,
 * rows of VMs.
 */
import type { Kysely } from 'kysely';
import type { Tables, VappId } from '../../packages/ssvirt/src/db/schema/schema.ts';
import { makeOrganization, makeVapp, makeVdc, makeVm } from '../database/rows.ts';

export const namespace = 'team';
export const vappLabel = 'vapp.ssvirt.io/vapp-id';

export class Tenant {
  readonly #db: Kysely<Tables>;
  /** By cluster. */
  readonly #vapps: ReadonlyMap<string, VappId>;

  private constructor(db: Kysely<Tables>, vapps: ReadonlyMap<string, VappId>) {
    this.#db = db;
    this.#vapps = vapps;
  }

  static async create(db: Kysely<Tables>, clusters: readonly string[]): Promise<Tenant> {
    const { id: organization_id } = await makeOrganization(db);
    const vapps = new Map<string, VappId>();
    for (const cluster of clusters) {
      const vdc = await makeVdc(db, { organization_id, cluster, namespace, name: cluster });
      const vapp = await makeVapp(db, { vdc_id: vdc.id, name: 'app' });
      vapps.set(cluster, vapp.id);
    }
    return new Tenant(db, vapps);
  }

  vappOf(cluster: string): VappId {
    const id = this.#vapps.get(cluster);
    if (id === undefined) throw new Error(`there is no VDC in cluster "${cluster}"`);
    return id;
  }

  labels(cluster: string): Record<string, string> {
    return { [vappLabel]: this.vappOf(cluster) };
  }

  /** Creates the row before the VM exists, as a tenant's request does. */
  async request(cluster: string, name: string): Promise<void> {
    await makeVm(this.#db, { vapp_id: this.vappOf(cluster), name, vm_name: name, cluster, namespace });
  }
}
