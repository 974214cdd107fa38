/**
 * Everything on one host, as `make run` starts it, and the command line as users have it: a separate process with its
 * own home.
 */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { throwAwayFolder } from '../cluster/cluster.ts';
import { command } from '../processes/api-server.ts';
import { until } from '../runtime/until.ts';

const deadline = { deadlineMs: 150_000, everyMs: 50 };

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<Ran>;
}

export interface Person {
  /** The path of the configuration. */
  readonly home: string;
  /** The environment of each command, besides the server's address. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface CliHarness {
  readonly folder: string;
  readonly url: string;
  readonly ca: string;
  readonly kubeconfig: string;
  passwordFile(login: string): string;
  home(name: string): string;
  start(person: Person, args: readonly string[], input?: string): Running;
  run(person: Person, args: readonly string[], input?: string): Promise<Ran>;
  stop(): Promise<void>;
}

export async function startCliHarness(): Promise<CliHarness> {
  const folder = await throwAwayFolder('ssvirt-cli-');
  const data = join(folder.path, 'data');
  const ports = ['--listen', '127.0.0.1:0', '--sandbox-listen', '127.0.0.1:0'];
  // The demo data takes some time.
  const less = ['--clusters', '1', '--demo', 'false', '--aap', 'false'];
  const dev = spawn(command, ['dev', '--data', data, ...ports, ...less], {
    env: { ...process.env, SSVIRT_SANDBOX_PARTS: 'kubevirt,nodes,storage,templates,cdi', SSVIRT_DEV_SPEED: '20' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(dev, 'exit');
  let output = '';
  for (const stream of [dev.stdout, dev.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const stop = async (): Promise<void> => {
    if (dev.exitCode === null) dev.kill('SIGTERM');
    await exited;
    await folder.remove();
  };
  try {
    await until(
      'ssvirt dev is up',
      () => {
        assert.equal(dev.exitCode, null, output);
        return output.includes('Stop with Ctrl-C');
      },
      deadline,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  const written = readFileSync(join(data, 'env'), 'utf8');
  const of = (name: string): string => new RegExp(`^export ${name}=(.*)$`, 'm').exec(written)?.[1] ?? '';
  const [url, ca, kubeconfig] = [of('SSVIRT_URL'), of('SSVIRT_CA'), of('KUBECONFIG')];
  const start: CliHarness['start'] = ({ home, env = {} }, args, input) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const given = {
      PATH,
      NODE_COMPILE_CACHE,
      HOME: home,
      XDG_CONFIG_HOME: home,
      SSVIRT_URL: url,
      SSVIRT_CA: ca,
      ...env,
    };
    const child = spawn(command, args, { env: given, stdio: ['pipe', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
    return { child, stdout: () => stdout, stderr: () => stderr, ended };
  };
  return {
    folder: folder.path,
    url,
    ca,
    kubeconfig,
    passwordFile: (login) => join(data, 'passwords', login),
    home: (name) => join(folder.path, 'homes', name),
    start,
    run: (person, args, input) => start(person, args, input).ended,
    stop,
  };
}

/** The command must have succeeded. Resolves to what was printed. */
export async function done(ran: Promise<Ran>): Promise<string> {
  const { code, stdout, stderr } = await ran;
  assert.equal(code, 0, stderr);
  return stdout;
}

/** Nothing but JSON may be on stdout. */
export async function json<T>(ran: Promise<Ran>): Promise<T> {
  return JSON.parse(await done(ran)) as T;
}

/** The command must have ended with this code, with a sentence and an empty stdout. */
export async function refused(ran: Promise<Ran>, code: number, sentence: RegExp): Promise<string> {
  const ended = await ran;
  assert.equal(ended.code, code, ended.stderr);
  assert.match(ended.stderr, sentence);
  assert.equal(ended.stdout, '');
  assert.doesNotMatch(ended.stderr, /\n\s+at /, 'a stack is shown');
  return ended.stderr;
}
