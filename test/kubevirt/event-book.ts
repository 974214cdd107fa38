/**
 * The Events that KubeVirt records, as a set of object, reason and text. Their order and their count vary between two
 * runs. Those of the agents are our own input and are excluded.
 */
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';

const agents = new Set(['virt-handler', 'kubelet', 'default-scheduler', 'persistentvolume-controller']);

export class EventBook {
  readonly #recorded = new Set<string>();
  readonly #seen = new Set<string>();

  recorded(event: JsonObject): void {
    const line = lineOf(event);
    if (line !== undefined) this.#recorded.add(line);
  }

  saw(event: JsonObject): void {
    const line = lineOf(event);
    if (line !== undefined) this.#seen.add(line);
  }

  /** `-` recorded and not seen, `+` seen and not recorded; those that may be missing on either side are excluded. */
  differences(unbind: (text: string) => string, mayBeMissing: readonly string[] = []): string[] {
    const seen = new Set([...this.#seen].map((line) => bare(unbind(line))));
    const recorded = new Set([...this.#recorded].map((line) => bare(line)));
    const left = (line: string): boolean => !mayBeMissing.includes(line);
    return [
      ...[...recorded].filter((line) => left(line) && !seen.has(line)).map((line) => `- ${line}`),
      ...[...seen].filter((line) => left(line) && !recorded.has(line)).map((line) => `+ ${line}`),
    ];
  }
}

function lineOf(event: JsonObject): string | undefined {
  const source = (event['source'] as JsonObject | undefined)?.['component'] ?? event['reportingComponent'];
  if (agents.has(String(source))) return undefined;
  const about = event['involvedObject'] as JsonObject;
  return `${String(about['kind'])} ${String(about['name'])}: ${String(event['type'])} ${String(event['reason'])} ${String(event['message'])}`;
}

/** Without generated suffixes: the states show which of several pods is meant. Many alike are reported as one. */
function bare(line: string): string {
  const named = line
    .replace('(combined from similar events): ', '')
    .replaceAll(/<gen#?\d*>/g, '*')
    .replaceAll(/(virt-launcher-[\w.-]*-|hp-volume-)[a-z0-9]{5}(?= |"|$)/g, '$1*');
  return named.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|<uu?id[^>]*>/g, '*');
}
