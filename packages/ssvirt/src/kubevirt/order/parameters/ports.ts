/** The ports that an order's Service opens. */
import type { ExposedPort } from './order-parameters.ts';
import { problem, refused, type ParameterProblem, type Read, type RefusedParameter } from './parameter-problem.ts';
import { shown } from '../shown.ts';

const MOST_PORTS = 100;

/**
 * The format of AAP's role, `22/tcp,53/udp`, and in addition blanks around each entry and capitals. AAP refuses these:
 * see `whyAapRefusesPorts`.
 */
export function readPorts(field: string, value: unknown): Read<readonly ExposedPort[]> {
  if (typeof value !== 'string') return refusedPorts(field, value, 'It is not a string');
  const entries = value.split(',', MOST_PORTS + 1).map((entry) => entry.trim().toLowerCase());
  if (entries.length > MOST_PORTS) return refusedPorts(field, value, 'There are more');
  const ports = entries.map(readPort);
  const known = ports.filter((port) => port !== undefined);
  if (known.length < ports.length)
    return refusedPorts(field, value, `${shown(entries[ports.indexOf(undefined)])} is not a valid port`);
  const repeated = entries.find((entry, index) => entries.indexOf(entry) !== index);
  return repeated === undefined ? { value: known } : refusedPorts(field, value, `${shown(repeated)} appears twice`);
}

/**
 * `whyAapRefusesPorts` names the first character that AAP's role does not accept: it knows lower case, digits, "/" and
 * ",". Whether the rest is valid is for `readPorts` to say.
 */
export function whyAapRefusesPorts(field: string, value: unknown): ParameterProblem | undefined {
  if (typeof value !== 'string') return undefined;
  const at = value.search(/[^a-z0-9/,]/);
  if (at === -1) return undefined;
  const character = String.fromCodePoint(value.codePointAt(at) ?? 0);
  const named = /\s/.test(character) ? 'a blank' : shown(character);
  const remedy = `Character ${at + 1} is ${named}, which AAP refuses: write "${field}": "22/tcp,53/udp"`;
  return problem(field, shown(value), 'in lower case and without blanks for AAP', remedy);
}

function refusedPorts(field: string, value: unknown, what: string): RefusedParameter {
  return refused(field, value, {
    rule: `1 to ${MOST_PORTS} different ports with commas between, each PORT/tcp or PORT/udp with a PORT from 1 to 65535`,
    remedy: `${what}: write for example "${field}": "22/tcp,53/udp"`,
  });
}

function readPort(entry: string): ExposedPort | undefined {
  const [, digits = '', protocol] = /^([1-9]\d{0,4})\/(tcp|udp)$/.exec(entry) ?? [];
  const port = Number(digits);
  return port >= 1 && port <= 65535 ? { port, protocol: protocol === 'udp' ? 'UDP' : 'TCP' } : undefined;
}
