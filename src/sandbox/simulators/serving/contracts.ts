/** What simulators give to the one HTTPS server that the API server calls: webhooks and aggregated APIs. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { JsonPatchOperation } from '../../../kube/client/client.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { OpenApi } from '../../openapi/documents.ts';

/** `request` of an AdmissionReview (admission.k8s.io/v1). */
export interface AdmissionRequest {
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
      /** A Status reason, such as Invalid; absent where the real webhook gives none. */
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
export interface Webhook {
  readonly kind: 'Mutating' | 'Validating';
  /** The name of the configuration object, such as `virt-api-validator`. */
  readonly configuration: string;
  /** Such as `virtualmachine-validator.kubevirt.io`. */
  readonly name: string;
  /** Where on the server, such as `/virtualmachines-validate`. */
  readonly path: string;
  readonly rules: readonly WebhookRule[];
  /** In CEL, by name. It is asked only where all hold: what always gets the same answer need not be. */
  readonly conditions?: Readonly<Record<string, string>>;
  readonly failurePolicy?: 'Fail' | 'Ignore';
  readonly admit: (request: AdmissionRequest) => AdmissionAnswer | Promise<AdmissionAnswer>;
}

/** Who asks, as the API server says in the headers of the front proxy. */
export interface Caller {
  readonly username: string;
  /** Where the API server says it. */
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

/** `apis/group/version` of an extension server, discovery included. */
export interface AggregatedApi {
  readonly group: string;
  readonly version: string;
  readonly priority?: { readonly group: number; readonly version: number };
  /** What `kubectl explain` reads; without it the kinds are not described. */
  readonly documents?: OpenApi;
  handle(call: ApiCall, response: ServerResponse): Promise<void>;
  /** Websockets. The socket is the callee's from here on. */
  upgrade?(call: Omit<ApiCall, 'body'>, socket: Duplex, head: Buffer): void;
}

/** A `Status` that a handler throws, and the server answers with. */
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
