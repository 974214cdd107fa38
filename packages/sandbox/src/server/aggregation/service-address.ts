/**
 * The address of a Service. The sandbox has no service network: a Service of type ExternalName represents a process
 * beside it, and any other Service is reached at the addresses in its EndpointSlices.
 */
import type { LocalClient } from '../../control-plane/controllers/client.ts';
import { isObject, type Json, type JsonObject, type KubeObject } from '../../values/json.ts';
import type { ServiceReference } from './api-service.ts';

export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

export class ServiceAddressError extends Error {}

export function findService(client: LocalClient, { namespace, name }: ServiceReference): KubeObject | undefined {
  return client.get(client.builtin('', 'v1', 'services'), namespace, name);
}

export function endpointSlices(client: LocalClient, { namespace, name }: ServiceReference): KubeObject[] {
  const slices = client.list(client.builtin('discovery.k8s.io', 'v1', 'endpointslices'), namespace);
  return slices.filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name);
}

/** The name of the Service's port; undefined when the Service does not have the port. */
export function portName(service: KubeObject, port: number): string | undefined {
  const found = objects(specOf(service)['ports']).find((entry) => entry['port'] === port);
  return found && String(found['name'] ?? '');
}

/** `serviceAddress` throws a ServiceAddressError with kube-apiserver's text. */
export function serviceAddress(client: LocalClient, reference: ServiceReference): ServiceAddress {
  const service = findService(client, reference);
  if (service === undefined) throw new ServiceAddressError(`service ${JSON.stringify(reference.name)} not found`);
  const spec = specOf(service);
  if (spec['type'] === 'ExternalName') return { host: String(spec['externalName']), port: reference.port };
  const name = portName(service, reference.port);
  if (name === undefined)
    throw new ServiceAddressError(
      `no service port ${reference.port} found for service ${JSON.stringify(reference.name)}`,
    );
  for (const slice of endpointSlices(client, reference)) {
    const address = readyAddress(slice, name);
    if (address !== undefined) return address;
  }
  throw new ServiceAddressError(`no endpoints available for service ${JSON.stringify(reference.name)}`);
}

/** An endpoint of a slice that is ready or has unknown readiness, at the port of this name. */
export function readyAddress(slice: KubeObject, name: string): ServiceAddress | undefined {
  const port = objects(slice['ports']).find(
    (entry) => (entry['name'] ?? '') === name && typeof entry['port'] === 'number',
  );
  const ready = objects(slice['endpoints']).find(
    ({ conditions }) => !isObject(conditions) || conditions['ready'] !== false,
  );
  const addresses = ready?.['addresses'];
  if (port === undefined || !Array.isArray(addresses) || addresses[0] === undefined) return undefined;
  return { host: String(addresses[0]), port: Number(port['port']) };
}

export function serviceType(service: KubeObject): string {
  return String(specOf(service)['type'] ?? 'ClusterIP');
}

function specOf(service: KubeObject): JsonObject {
  return isObject(service['spec']) ? service['spec'] : {};
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
