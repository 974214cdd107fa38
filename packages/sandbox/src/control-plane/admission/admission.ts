/** Admission: plug-ins that change or reject a write after decoding and before it is stored. */
import type { User } from '../../server/api/context.ts';
import type { Resource } from '../../server/api/resource.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

export interface AdmissionRequest {
  readonly operation: Operation;
  readonly resource: Resource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Absent for DELETE. A mutating plug-in changes it in place or replaces it. */
  object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  /** The CreateOptions, UpdateOptions or DeleteOptions as webhooks see them. */
  readonly options: JsonObject;
  readonly dryRun: boolean;
  readonly user: User;
  warn(text: string): void;
}

export interface AdmissionPlugin {
  readonly name: string;
  /** May change `request.object`. */
  mutate?(request: AdmissionRequest): void | Promise<void>;
  validate?(request: AdmissionRequest): void | Promise<void>;
  /**
   * The last check, in the same turn of the event loop as the write itself (ResourceQuota charges here). Not called on
   * dry runs.
   */
  commit?(request: AdmissionRequest): void;
}

export class Admission {
  readonly #plugins: readonly AdmissionPlugin[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
  }

  async mutate(request: AdmissionRequest): Promise<void> {
    for (const plugin of this.#plugins) {
      const pending = plugin.mutate?.(request);
      if (pending !== undefined) await pending;
    }
  }

  async validate(request: AdmissionRequest): Promise<void> {
    for (const plugin of this.#plugins) {
      const pending = plugin.validate?.(request);
      if (pending !== undefined) await pending;
    }
  }

  commit(request: AdmissionRequest): void {
    if (request.dryRun) return;
    for (const plugin of this.#plugins) plugin.commit?.(request);
  }
}
