/** Finds the address of a Service that a webhook names. */
import type { JsonObject } from '../../../values/json.ts';
import { listAt, numberAt, objectAt, textAt, textsAt } from '../../../objects/kinds/values/fields.ts';
import type { Store } from '../../../store/store.ts';
import { stored } from '../stored.ts';

export interface ServiceRoute {
  readonly host: string;
  readonly port: number;
}

/** Like the API server without endpoint routing: by the Service's cluster IP or external name. */
export function resolveService(store: Store, reference: JsonObject, port: number): ServiceRoute {
  const name = textAt(reference, 'name');
  const namespace = textAt(reference, 'namespace');
  const service = stored(store, '/services', namespace, name);
  if (service === undefined) throw new Error(`service ${JSON.stringify(name)} not found`);
  const spec = objectAt(service, 'spec');
  const type = textAt(spec, 'type');
  if (type === 'ExternalName') return { host: textAt(spec, 'externalName'), port };
  if (textAt(spec, 'clusterIP') === 'None') throw new Error('cannot route to service with ClusterIP "None"');
  const found = listAt(spec, 'ports').find((item) => numberAt(item, 'port') === port);
  if (found === undefined) throw new Error(`no service port ${port} found for service ${JSON.stringify(name)}`);
  const endpoint = readyEndpoint(store, namespace, name, textAt(found, 'name'));
  // The sandbox does not forward cluster IPs. Without an endpoint, the connection is refused as in a real cluster.
  if (endpoint === undefined)
    throw new Error(`dial tcp ${textAt(spec, 'clusterIP')}:${port}: connect: connection refused`);
  return endpoint;
}

function readyEndpoint(store: Store, namespace: string, name: string, portName: string): ServiceRoute | undefined {
  const table = store.table('discovery.k8s.io/endpointslices');
  for (const entry of table.range(`${namespace}/`)) {
    if (entry.labels?.['kubernetes.io/service-name'] !== name) continue;
    const slice = stored(store, table.name, namespace, entry.name);
    const port = listAt(slice, 'ports').find((item) => textAt(item, 'name') === portName);
    const ready = listAt(slice, 'endpoints').find((endpoint) => objectAt(endpoint, 'conditions')?.['ready'] !== false);
    const [address] = textsAt(ready, 'addresses');
    if (port !== undefined && address !== undefined) return { host: address, port: numberAt(port, 'port') };
  }
  return undefined;
}
