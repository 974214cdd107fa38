/** Observes requests: metrics and debug log lines. Never bodies, queries or credentials. */
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { header, type Call, type Headers } from './call.ts';
import { requestResource } from './request-resource.ts';
import { Warnings } from './warnings.ts';

export interface Sent {
  readonly call: Call;
  readonly host: string;
  readonly startedAt: number;
}

export class Observer {
  readonly #clock: Clock;
  readonly #metrics: Metrics['rest'] | undefined;
  readonly #log: Logger | undefined;
  readonly #warnings: Warnings;

  constructor(clock: Clock, metrics: Metrics | undefined, log: Logger | undefined) {
    this.#clock = clock;
    this.#metrics = metrics?.rest;
    this.#log = log;
    this.#warnings = new Warnings(log);
  }

  sending(call: Call, host: string): Sent {
    this.#metrics?.requestBytes.observe({ verb: call.method, host }, Buffer.byteLength(call.body ?? ''));
    return { call, host, startedAt: this.#clock.now() };
  }

  answered(sent: Sent, code: number, headers: Headers, bytes?: number): void {
    const seconds = this.#done(sent, String(code));
    if (code >= 400) {
      const { method, path } = sent.call;
      this.#metrics?.failures.inc({ code: String(code), method, resource: requestResource(path), host: sent.host });
    }
    if (bytes !== undefined) this.#metrics?.responseBytes.observe({ verb: sent.call.method, host: sent.host }, bytes);
    this.#warnings.see(headers);
    if (this.#log?.isLevelEnabled('debug') !== true) return;
    this.#log.debug(
      {
        method: sent.call.method,
        path: sent.call.path,
        code,
        seconds,
        auditId: header(headers, 'audit-id'),
        flowSchema: header(headers, 'x-kubernetes-pf-flowschema-uid'),
        priorityLevel: header(headers, 'x-kubernetes-pf-prioritylevel-uid'),
      },
      'the API server answered',
    );
  }

  failed(sent: Sent, error: unknown): void {
    const seconds = this.#done(sent, '<error>');
    const { method, path } = sent.call;
    this.#log?.debug({ method, path, seconds, err: error }, 'API server did not answer');
  }

  retrying(sent: Sent, code: string): void {
    this.#metrics?.retries.inc({ code, verb: sent.call.method, host: sent.host });
  }

  limited(sent: Pick<Sent, 'call' | 'host'>, milliseconds: number): void {
    this.#metrics?.rateLimiterSeconds.observe({ verb: sent.call.method, host: sent.host }, milliseconds / 1000);
  }

  #done({ call, host, startedAt }: Sent, code: string): number {
    const seconds = (this.#clock.now() - startedAt) / 1000;
    this.#metrics?.requests.inc({ code, method: call.method, host });
    this.#metrics?.seconds.observe({ verb: call.method, host }, seconds);
    return seconds;
  }
}
