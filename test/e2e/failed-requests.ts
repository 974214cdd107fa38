/**
 * The requests of our processes that a cluster answered with 4xx or 5xx, from their own metrics; each has to be
 * expected.
 */

export interface FailedRequest {
  readonly process: string;
  readonly code: string;
  readonly method: string;
  /** Such as `virtualmachines.subresources.kubevirt.io/start`. */
  readonly resource: string;
}

export interface ExpectedFailure {
  /** Undefined: any. */
  readonly process?: string;
  readonly code: string;
  readonly method: string;
  readonly resource: string | readonly string[];
  /** Why a healthy run has it. */
  readonly reason: string;
}

const metric = 'rest_client_failed_requests_total';

/** From the text of `/metrics`. */
export function failedRequestsIn(process: string, text: string): readonly FailedRequest[] {
  return [...text.matchAll(new RegExp(`^${metric}\\{([^}]*)\\} (\\S+)$`, 'gm'))].flatMap(([, labels = '', value]) => {
    const {
      code = '',
      method = '',
      resource = '',
    } = Object.fromEntries(
      [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, given]) => [name, given]),
    ) as Readonly<Record<string, string>>;
    return Number(value) > 0 ? [{ process, code, method, resource }] : [];
  });
}

export function isExpected(failed: FailedRequest, expected: readonly ExpectedFailure[]): boolean {
  return expected.some(
    ({ process = failed.process, code, method, resource }) =>
      process === failed.process &&
      code === failed.code &&
      method === failed.method &&
      [resource].flat().includes(failed.resource),
  );
}

export function failedText({ process, code, method, resource }: FailedRequest): string {
  return `${process} was answered ${code} to ${method} ${resource}`;
}

/** Remembers the failed requests of each process, also after it has ended. */
export class FailedRequests {
  readonly #seen = new Map<string, FailedRequest>();
  readonly #restarted = new Set<string>();

  add(all: readonly FailedRequest[]): void {
    for (const one of all) this.#seen.set(failedText(one), one);
  }

  /** No process of a healthy run ends by itself, and some of what it was answered before is lost. */
  addRestart(process: string): void {
    this.#restarted.add(process);
  }

  unexpected(expected: readonly ExpectedFailure[]): readonly string[] {
    const requests = [...this.#seen].flatMap(([text, one]) => (isExpected(one, expected) ? [] : [text]));
    const restarts = [...this.#restarted].map((process) => `${process} was restarted`);
    return [...requests, ...restarts].toSorted();
  }
}
