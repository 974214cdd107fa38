/** A user of the organization who creates vApps and brings their VMs to the power state that the demo shows. */
import { defined } from '@ssvirt/base/values/defined';
import { sleep, systemClock } from '@ssvirt/kube/clock';
import type { ApiCaller } from '../api-caller.ts';
import { ensure } from '../seeds.ts';
import type { DemoMachine, DemoVapp, DemoOffer } from './vapps.ts';

const base = '/cloudapi/1.0.0';
const image = 'quay.io/containerdisks/fedora:42';
/** VMs start slowly in a busy sandbox. */
const runsMs = 300_000;
const lookMs = 500;

export class Tenant {
  readonly #api: ApiCaller;
  readonly #signal: AbortSignal;

  constructor(api: ApiCaller, signal: AbortSignal) {
    this.#api = api;
    this.#signal = signal;
  }

  async ensure(vapp: DemoVapp): Promise<void> {
    if (vapp.from !== undefined) return this.#instantiate(vapp, vapp.from);
    const { name, description } = vapp;
    const id = await ensure(this.#api, `${base}/vdcs/${vapp.vdc}/vapps`, name, { name, description });
    for (const machine of vapp.machines) await this.#ensureMachine(`${base}/vapps/${id}/vms`, machine);
  }

  async #instantiate({ vdc, name, description }: DemoVapp, offers: readonly DemoOffer[]): Promise<void> {
    const list = `${base}/vdcs/${vdc}/vapps`;
    if ((await this.#find(list, name)) !== undefined) return;
    for (const { catalog, item, parameters } of offers) {
      const catalogId = await this.#find(`${base}/catalogs`, catalog);
      const id = catalogId && (await this.#find(`${base}/catalogs/${catalogId}/catalogItems`, item));
      if (id === undefined) continue;
      const wanted = { name, description, catalogItem: { id }, ...defined({ parameters }) };
      await this.#api.post(`${base}/vdcs/${vdc}/actions/instantiateTemplate`, wanted);
      return;
    }
  }

  async #ensureMachine(list: string, { name, description, cpus, memoryMb, power }: DemoMachine): Promise<void> {
    const powerOn = power !== 'off';
    const id = await ensure(this.#api, list, name, { name, description, image, cpus, memoryMb, powerOn });
    if (power === 'suspended') await this.#suspend(id);
  }

  /** Only a running VM can be suspended. */
  async #suspend(id: string): Promise<void> {
    const giveUpAt = systemClock.now() + runsMs;
    for (;;) {
      const status = String((await this.#api.get(`${base}/vms/${id}`))['status']);
      if (status === 'SUSPENDED') return;
      if (status === 'POWERED_ON') return void (await this.#api.post(`${base}/vms/${id}/actions/suspend`, {}));
      if (systemClock.now() > giveUpAt) throw new Error(`cannot suspend the demo VM: it is ${status}`);
      await sleep(systemClock, lookMs, this.#signal);
      this.#signal.throwIfAborted();
    }
  }

  async #find(list: string, name: string): Promise<string | undefined> {
    const { values } = await this.#api.get(`${list}?filter=${encodeURIComponent(`name==${name}`)}`);
    return (values as readonly { readonly id: string }[])[0]?.id;
  }
}
