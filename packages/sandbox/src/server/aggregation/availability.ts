/** Whether the server behind an APIService is available: kube-aggregator's checks, in its order and with its texts. */
import type { User } from '../api/context.ts';
import type { LocalClient } from '../../control-plane/controllers/client.ts';
import { PASSED, type AggregatedCondition, type RemoteService } from './api-service.ts';
import type { Fetched } from './extension-connection.ts';
import { goNetworkError } from './go-network-error.ts';
import { hostPort } from './go-url.ts';
import {
  endpointSlices,
  findService,
  portName,
  readyAddress,
  serviceAddress,
  ServiceAddressError,
  serviceType,
  type ServiceAddress,
} from './service-address.ts';

/** `AGGREGATOR` is the identity of the aggregator's requests to extension servers; it may read everything. */
export const AGGREGATOR: User = { name: 'system:kube-aggregator', uid: '', groups: ['system:masters'] };

export function unavailable(reason: string, message: string): AggregatedCondition {
  return { status: 'False', reason, message };
}

/** `serviceProblem` checks the cluster's own objects; returns undefined when they show no problem. */
export function serviceProblem(
  client: LocalClient,
  { service: reference }: RemoteService,
): AggregatedCondition | undefined {
  const service = findService(client, reference);
  const where = `service/${reference.name} in ${JSON.stringify(reference.namespace)}`;
  if (service === undefined) return unavailable('ServiceNotFound', `${where} is not present`);
  if (serviceType(service) !== 'ClusterIP') return undefined;
  const port = portName(service, reference.port);
  if (port === undefined) return unavailable('ServicePortError', `${where} is not listening on port ${reference.port}`);
  const slices = endpointSlices(client, reference);
  if (slices.length === 0) return unavailable('EndpointsNotFound', `cannot find endpointslices for ${where}`);
  if (slices.some((slice) => readyAddress(slice, port) !== undefined)) return undefined;
  return unavailable(
    'MissingEndpoints',
    `endpointslices for ${where} have no addresses with port name ${JSON.stringify(port)}`,
  );
}

export type Probe = (address: ServiceAddress, path: string) => Promise<Fetched>;

/** `probeDiscovery` requests the one document that every server must have. */
export async function probeDiscovery(
  client: LocalClient,
  service: RemoteService,
  probe: Probe,
): Promise<AggregatedCondition> {
  let address: ServiceAddress;
  try {
    address = serviceAddress(client, service.service);
  } catch (error) {
    if (error instanceof ServiceAddressError) return unavailable('FailedDiscoveryCheck', error.message);
    throw error;
  }
  const path = discoveryPath(service);
  const url = `https://${hostPort(address.host, address.port)}${path}`;
  const failed = (why: string): AggregatedCondition =>
    unavailable('FailedDiscoveryCheck', `failing or missing response from ${url}: ${why}`);
  try {
    const { status } = await probe(address, path);
    return status >= 200 && status < 300 ? PASSED : failed(`bad status from ${url}: ${status}`);
  } catch (error) {
    return failed(`Get ${JSON.stringify(url)}: ${goNetworkError(error)}`);
  }
}

export function discoveryPath({ group, version }: RemoteService): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}
