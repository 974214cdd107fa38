/** A cluster with a webhook server beside it, for the tests of webhooks. */
import type { JsonObject, KubeObject } from '../../../values/json.ts';
import { configMap, TestCluster } from '../cluster.fixture.ts';
import { WebhookServer } from './webhook-server.fixture.ts';

export type WebhookKind = 'Mutating' | 'Validating';

export class WebhookBench {
  readonly cluster = new TestCluster();
  readonly hook: WebhookServer;
  readonly #made: KubeObject[] = [];
  #count = 0;

  private constructor(hook: WebhookServer) {
    this.hook = hook;
  }

  /** With the namespace `ns`, whose team is `a`. */
  static async start(): Promise<WebhookBench> {
    const bench = new WebhookBench(await WebhookServer.start());
    await bench.cluster.namespace('ns', { team: 'a' });
    return bench;
  }

  stop(): void {
    this.hook.stop();
  }

  async configure(
    kind: WebhookKind,
    webhooks: JsonObject | JsonObject[] = {},
    name = `c${this.#count++}`,
  ): Promise<void> {
    const configuration = await this.cluster.create({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: `${kind}WebhookConfiguration`,
      metadata: { name },
      webhooks: [webhooks].flat().map((webhook) => ({
        name: 'h.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        clientConfig: this.hook.clientConfig(),
        ...webhook,
      })),
    });
    this.#made.push(configuration);
  }

  /** Deletes the configurations. */
  async clear(): Promise<void> {
    for (const configuration of this.#made.splice(0)) await this.cluster.delete(configuration);
  }

  /** Restores the initial state between two tests. */
  async reset(): Promise<void> {
    await this.clear();
    this.hook.seen.length = 0;
    this.hook.answer({});
  }

  /** A ConfigMap with a unique name. */
  fresh(data: { [key: string]: string } = { a: '1' }): KubeObject {
    return configMap('ns', `m${this.#count++}`, data);
  }

  /** The AdmissionRequest of one of the calls so far. */
  request(index = 0): JsonObject {
    return this.hook.seen[index]?.review.request ?? {};
  }
}
