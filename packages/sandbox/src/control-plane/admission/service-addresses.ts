/**
 * Allocates cluster IPs and node ports of Services. The holders follow from the stored Services alone, so nothing can
 * leak. When two concurrent requests got the same address, the write of the second one resolves the conflict.
 */
import { randomInt } from 'node:crypto';
import { errors, fieldError } from '../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { listAt, numberAt, objectAt, textAt, textsAt } from '../../objects/kinds/values/fields.ts';
import { allocateService, type ServiceAllocator } from '../../objects/kinds/service/service-allocation.ts';
import { isHeadless, needsClusterIP } from '../../objects/kinds/service/service-traits.ts';
import { entryKey, parseEntry, type Entry } from '../../store/entry.ts';
import type { Store } from '../../store/store.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';
import { formatAddress, parseRange, type AddressRange } from './address-range.ts';
import { isCore } from './stored.ts';

export interface ServiceAddressOptions {
  /** The range of cluster IPs; its first address belongs to the Service `kubernetes` in `default`. */
  readonly clusterIPs: string;
  readonly nodePorts: { readonly first: number; readonly last: number };
}

const DEFAULT_SERVICE_ADDRESSES: ServiceAddressOptions = {
  clusterIPs: '10.96.0.0/12',
  nodePorts: { first: 30000, last: 32767 },
};

const TABLE = '/services';
const API_SERVICE = 'default/kubernetes';
const IP_TAKEN = 'provided IP is already allocated';
const PORT_TAKEN = 'provided port is already allocated';
/** Addresses and ports at the start of a range are reserved for Services that request a specific one. */
const STATIC_ADDRESSES = 256;
const STATIC_PORTS = 86;
/** The node port in a dry run: no free one is searched, because nothing is stored. */
const DRY_RUN_PORT = 32769;

/** What a request got without asking for a specific value. */
interface Given {
  address: string | undefined;
  readonly ports: Set<number>;
}

export function serviceAddresses(
  store: Store,
  options: ServiceAddressOptions = DEFAULT_SERVICE_ADDRESSES,
): AdmissionPlugin {
  const holders = new Holders(store);
  const range = parseRange(options.clusterIPs);
  const given = new WeakMap<KubeObject, Given>();
  const concerns = (request: AdmissionRequest): request is AdmissionRequest & { object: KubeObject } =>
    isCore(request, 'services') && request.object !== undefined;
  return {
    name: 'ServiceAddresses',
    mutate(request) {
      if (!concerns(request)) return;
      const got: Given = { address: undefined, ports: new Set() };
      const key = entryKey(request.namespace, request.name);
      allocateService(
        request.object,
        request.oldObject,
        new Allocation(holders, range, options, key, request.dryRun, got),
      );
      given.set(request.object, got);
    },
    commit(request) {
      if (!concerns(request)) return;
      const key = entryKey(request.namespace, request.name);
      const got = given.get(request.object) ?? { address: undefined, ports: new Set() };
      const allocation = new Allocation(holders, range, options, key, false, got);
      settleAddress(request.object, holders, key, got, allocation);
      settlePorts(request.object, holders, key, got, allocation);
    },
  };
}

/** When another Service took the address meanwhile: allocates another one, or rejects a requested one. */
function settleAddress(service: KubeObject, holders: Holders, key: string, got: Given, allocation: Allocation): void {
  const spec = objectAt(service, 'spec') ?? {};
  const [address] = addressesOf(spec);
  if (address === undefined || holders.mayHave(address, key)) return;
  if (address !== got.address) {
    const why = `failed to allocate IP ${address}: ${IP_TAKEN}`;
    throw errors.invalid('', 'Service', service.metadata.name ?? '', [
      fieldError.invalid('spec.clusterIPs', spec['clusterIPs'], why),
    ]);
  }
  const other = allocation.nextClusterIP();
  if (other === undefined) throw errors.internal('failed to allocate a serviceIP: range is full');
  spec['clusterIP'] = other;
  spec['clusterIPs'] = [other];
}

function settlePorts(service: KubeObject, holders: Holders, key: string, got: Given, allocation: Allocation): void {
  const replaced = new Map<number, number>();
  listAt(objectAt(service, 'spec'), 'ports').forEach((port, i) => {
    const number = numberAt(port, 'nodePort');
    if (number === 0 || holders.mayHave(number, key)) return;
    if (!got.ports.has(number)) {
      throw errors.invalid('', 'Service', service.metadata.name ?? '', [
        fieldError.invalid(`spec.ports[${i}].nodePort`, number, PORT_TAKEN),
      ]);
    }
    const other = replaced.get(number) ?? allocation.nextNodePort();
    if (other === undefined) throw errors.internal('failed to allocate a nodePort: range is full');
    replaced.set(number, other);
    port['nodePort'] = other;
  });
}

class Allocation implements ServiceAllocator {
  readonly #holders: Holders;
  readonly #range: AddressRange;
  readonly #options: ServiceAddressOptions;
  readonly #key: string;
  readonly #dryRun: boolean;
  readonly #given: Given;
  readonly #claimed = new Set<number>();

  constructor(
    holders: Holders,
    range: AddressRange,
    options: ServiceAddressOptions,
    key: string,
    dryRun: boolean,
    given: Given,
  ) {
    this.#holders = holders;
    this.#range = range;
    this.#options = options;
    this.#key = key;
    this.#dryRun = dryRun;
    this.#given = given;
  }

  nextClusterIP(): string | undefined {
    if (this.#dryRun) return formatAddress(this.#range.base);
    const { base, size } = this.#range;
    const reserved = Math.min(STATIC_ADDRESSES, Math.max(16, Math.floor(size / 16)));
    // The network address, the first address and the broadcast address are never allocated.
    const free = (offset: number): boolean =>
      offset > 1 && offset < size - 1 && this.#holders.mayHave(formatAddress(base + offset), this.#key);
    const offset = pick(reserved, size, free) ?? pick(0, reserved, free);
    if (offset === undefined) return undefined;
    return (this.#given.address = formatAddress(base + offset));
  }

  claimClusterIP(address: string): string | undefined {
    const offset = this.#range.offsetOf(address);
    // The network address and the broadcast address do not belong to the range.
    if (offset === undefined || offset === 0 || offset === this.#range.size - 1) {
      return 'the provided network does not match the current range';
    }
    const taken = !this.#holders.mayHave(address, this.#key) || (offset === 1 && this.#key !== API_SERVICE);
    return taken ? IP_TAKEN : undefined;
  }

  nextNodePort(): number | undefined {
    const { first, last } = this.#options.nodePorts;
    if (this.#dryRun) {
      const dummy = Math.max(DRY_RUN_PORT - 1, ...this.#claimed) + 1;
      this.#claimed.add(dummy);
      return dummy;
    }
    const free = (port: number): boolean => !this.#claimed.has(port) && this.#holders.mayHave(port, this.#key);
    const port = pick(first + STATIC_PORTS, last + 1, free) ?? pick(first, first + STATIC_PORTS, free);
    if (port === undefined) return undefined;
    this.#given.ports.add(port);
    this.#claimed.add(port);
    return port;
  }

  claimNodePort(port: number): string | undefined {
    const { first, last } = this.#options.nodePorts;
    if (!this.#dryRun && (port < first || port > last)) {
      return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
    }
    if (this.#claimed.has(port) || !this.#holders.mayHave(port, this.#key)) return PORT_TAKEN;
    this.#claimed.add(port);
    return undefined;
  }
}

/** A random free number from `low` up to, but not including, `high`. */
function pick(low: number, high: number, free: (number: number) => boolean): number | undefined {
  if (high <= low) return undefined;
  const start = randomInt(low, high);
  for (let i = 0; i < high - low; i++) {
    const number = start + i < high ? start + i : start + i - (high - low);
    if (free(number)) return number;
  }
  return undefined;
}

/** `Holders` maps addresses and node ports to Services, updated by the store's events. */
class Holders {
  readonly #store: Store;
  readonly #byNumber = new Map<string | number, string>();
  #watching = false;

  constructor(store: Store) {
    this.#store = store;
  }

  mayHave(number: string | number, key: string): boolean {
    if (!this.#watching) this.#watch();
    const holder = this.#byNumber.get(number);
    return holder === undefined || holder === key;
  }

  /** Deferred to the first use, when the store has loaded all saved objects. */
  #watch(): void {
    this.#watching = true;
    for (const entry of this.#store.table(TABLE).range('')) this.#hold(entry);
    this.#store.listenTo(TABLE, ({ type, entry, previous }) => {
      if (previous !== undefined) for (const number of numbersOf(previous)) this.#byNumber.delete(number);
      if (type !== 'DELETED') this.#hold(entry);
    });
  }

  #hold(entry: Entry): void {
    for (const number of numbersOf(entry)) this.#byNumber.set(number, entry.key);
  }
}

function addressesOf(spec: JsonObject): string[] {
  return needsClusterIP(spec) && !isHeadless(spec) ? textsAt(spec, 'clusterIPs') : [];
}

function numbersOf(entry: Entry): (string | number)[] {
  const spec = objectAt(parseEntry(entry), 'spec') ?? {};
  const single = textAt(spec, 'clusterIP');
  const addresses = addressesOf(spec);
  const ports = [
    ...listAt(spec, 'ports').map((port) => numberAt(port, 'nodePort')),
    numberAt(spec, 'healthCheckNodePort'),
  ];
  return [
    ...(addresses.length === 0 && single !== '' && single !== 'None' ? [single] : addresses),
    ...ports.filter((port) => port !== 0),
  ];
}
