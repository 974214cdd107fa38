/** One kubectl command against one cluster. */
import { defined } from '@ssvirt/base/values/defined';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

export interface Target {
  readonly kubectl: string;
  readonly kubeconfig: string;
  /** A separate folder for files and kubectl's caches. */
  readonly folder: string;
}

export interface Command {
  readonly args: readonly string[];
  readonly input?: string;
  /** A shell command that gets the file to edit as its last word. */
  readonly editor?: string | undefined;
  readonly env?: { readonly [name: string]: string } | undefined;
}

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly done: Promise<Outcome>;
  soFar(): Outcome;
}

/** For a host that is busy with other tests. */
const commandLimit = 180_000;

export function startKubectl({ args, input = '', editor, env }: Command, target: Target): Running {
  const child = spawn(target.kubectl, args, {
    cwd: target.folder,
    timeout: commandLimit,
    env: {
      PATH: process.env['PATH'],
      HOME: target.folder,
      KUBECONFIG: target.kubeconfig,
      LANG: 'C.UTF-8',
      ...defined({ KUBE_EDITOR: editor }),
      ...env,
    },
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
  child.stdin.on('error', () => undefined); // A command that reads no input may have ended before the input is written.
  child.stdin.end(input);
  const soFar = (): Outcome => ({ code: child.exitCode, out, err });
  const done = new Promise<Outcome>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(soFar()));
  });
  return { child, done, soFar };
}

export function printOutcome({ code, out, err }: Outcome): string {
  return `exit code: ${code}\nstandard output:\n${out}\nstandard error:\n${err}`;
}

/** Splits a command line at blanks; single and double quotes hold words together. */
export function words(line: string): string[] {
  const found = line.matchAll(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g);
  return [...found].map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}
