/** What simulators provide to the HTTPS server that the API server calls: webhooks and aggregated APIs. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';
import type { Json, JsonObject } from '../../values/json.ts';
import type { OpenApi } from '../../server/openapi/documents.ts';

/** `request` of an AdmissionReview (admission.k8s.io/v1). */
export interface ReviewRequest {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly userInfo: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly object?: JsonObject | null;
  readonly oldObject?: JsonObject | null;
  readonly dryRun?: boolean;
}

export interface Cause {
  readonly type: string;
  readonly message: string;
  readonly field?: string;
}

export type AdmissionAnswer =
  | {
      readonly allowed: true;
      readonly patch?: readonly JsonPatchOperation[];
      readonly warnings?: readonly string[];
    }
  | {
      readonly allowed: false;
      readonly code: number;
      /** A Status reason, such as Invalid; absent if the real webhook gives none. */
      readonly reason?: string;
      readonly message: string;
      readonly causes?: readonly Cause[];
      readonly warnings?: readonly string[];
    };

export interface WebhookRule {
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  readonly resources: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT')[];
}

/** One webhook of one configuration object. */
export interface ServedWebhook {
  readonly kind: 'Mutating' | 'Validating';
  /** The name of the configuration object, such as `virt-api-validator`. */
  readonly configuration: string;
  /** Such as `virtualmachine-validator.kubevirt.io`. */
  readonly name: string;
  /** The path on the server, such as `/virtualmachines-validate`. */
  readonly path: string;
  readonly rules: readonly WebhookRule[];
  /**
   * Match conditions in CEL, by name. The webhook is called only if all are true, which saves calls with a fixed
   * answer.
   */
  readonly conditions?: Readonly<Record<string, string>>;
  readonly failurePolicy?: 'Fail' | 'Ignore';
  readonly admit: (request: ReviewRequest) => AdmissionAnswer | Promise<AdmissionAnswer>;
}

/** `Caller` is the authenticated user, from the API server's front-proxy headers. */
export interface Caller {
  readonly username: string;
  /** Set if the API server sends it. */
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export interface ApiCall {
  readonly method: string;
  /** Decoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly caller: Caller;
  readonly request: IncomingMessage;
  /** The whole body; throws a Status of 413 beyond 3 MiB. */
  body(): Promise<Buffer>;
}

/** One `apis/group/version` of an extension server, including discovery. */
export interface AggregatedApi {
  readonly group: string;
  readonly version: string;
  readonly priority?: { readonly group: number; readonly version: number };
  /** The OpenAPI documents that `kubectl explain` reads; without them, the kinds are not described. */
  readonly documents?: OpenApi;
  handle(call: ApiCall, response: ServerResponse): Promise<void>;
  /** Handles a websocket. From here on, the callee owns the socket. */
  upgrade?(call: Omit<ApiCall, 'body'>, socket: Duplex, head: Buffer): void;
}

/** A `Status` that a handler throws and the server sends as the answer. */
export class StatusAnswer extends Error {
  readonly code: number;
  readonly reason: string | undefined;
  readonly details: Json | undefined;

  constructor(code: number, reason: string | undefined, message: string, details?: Json) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }
}
