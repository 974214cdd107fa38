/**
 * Measures what connections without a finished TLS handshake cost the API server, and whether they delay its shutdown.
 * make bench AREA=half-open ARGS='--connections 3000'
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openHalf } from '../../test/net/half-open.ts';
import { startHarness } from '../api/harness.ts';
import { few } from '../api/rows.ts';

const usage = `usage: make bench AREA=half-open ARGS='[options]'

  --connections N   connections that are opened at a time (3000)
  --rounds N        rounds in which the clients go, after each of which the resident memory is read (4)
`;
const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '4' },
    help: { type: 'boolean', default: false },
  },
});
const connections = count('connections', values.connections);
const rounds = count('rounds', values.rounds);
/** Connections still open after this time count as never closed. */
const longestMs = 60_000;

const say = (text: string): void => console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${text}`);
const rows: (readonly [string, string])[] = [];
/** Also on stderr at once: a long run shows early whether the memory still grows. */
function note(what: string, value: string): void {
  rows.push([what, value]);
  say(`${what}: ${value}`);
}

function count(name: string, text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new Error(`--${name}: "${text}" is not a number from 1 to 999999`);
}

/**
 * Counts the connections of a port, by the kernel's table, that the server process has not closed: ESTABLISHED and
 * CLOSE_WAIT.
 */
function openAt(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, at = '', , state = '']) => at.endsWith(local) && (state === '01' || state === '08')).length;
}

async function untilClosed(port: number, before: number): Promise<string> {
  const start = performance.now();
  for (;;) {
    const left = openAt(port) - before;
    const seconds = (performance.now() - start) / 1000;
    if (left <= 0) return `all closed after ${seconds.toFixed(1)} s`;
    if (seconds * 1000 > longestMs) return `${left} open after ${seconds.toFixed(0)} s`;
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

async function run(): Promise<void> {
  const harness = await startHarness({ rows: few, profile: undefined }, say);
  try {
    const { server } = harness;
    const port = Number(new URL(harness.url).port);
    const resident = (): string => `${(server.residentBytes() / 2 ** 20).toFixed(0)} MiB`;
    // The connections of the readiness checks.
    const before = openAt(port);
    note('resident memory before', resident());
    say(`${connections} connections, whose clients stay`);
    const patient = await openHalf(port, connections, ['silent', 'startsHandshake']);
    note(`resident memory with ${connections}`, resident());
    note('whose clients stay', await untilClosed(port, before));
    patient.forEach((client) => client.destroy());
    for (let round = 1; round <= rounds; round += 1) {
      say(`${connections} connections, whose clients go, round ${round}`);
      const gone = await openHalf(port, connections, ['silent', 'startsHandshake']);
      gone.forEach((client) => client.destroy());
      note(`whose clients are gone, round ${round}`, await untilClosed(port, before));
      note(`resident memory after round ${round}`, resident());
    }
    say('SIGTERM');
    const last = await openHalf(port, connections, ['silent', 'startsHandshake']);
    const start = performance.now();
    await server.stop();
    const { exitCode } = server;
    const end = exitCode === undefined ? 'killed' : `code ${exitCode}`;
    note(`SIGTERM with ${connections}`, `${end} after ${((performance.now() - start) / 1000).toFixed(1)} s`);
    last.forEach((client) => client.destroy());
  } finally {
    await harness.stop();
  }
  const width = Math.max(...rows.map(([what]) => what.length));
  for (const [what, value] of rows) console.log(`| ${what.padEnd(width)} | ${value} |`);
}

if (values.help) console.log(usage);
else await run();
