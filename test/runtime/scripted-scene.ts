/** A scripted server and a client for it; both end with the test. */
import type { TestContext } from 'node:test';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient, type ClientOptions } from '../../packages/kube/src/client/create.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { ScriptedServer, ScriptedSource, type Answering } from './scripted-server.ts';

export interface ScriptedScene {
  readonly server: ScriptedServer;
  readonly source: ScriptedSource;
  readonly client: Client;
}

export const configMaps: ResourceType<KubeObject & { readonly data?: Record<string, string> }> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};

export async function scriptedScene(
  context: TestContext,
  answer: Answering,
  options: Partial<ClientOptions> = {},
): Promise<ScriptedScene> {
  const server = await ScriptedServer.start(answer);
  const source = new ScriptedSource(server.connection());
  const client = createClient({ cluster: 'east', source, userAgent: 'scripted-test/1', ...options });
  context.after(async () => {
    await client.close();
    await server.stop();
  });
  return { server, source, client };
}
