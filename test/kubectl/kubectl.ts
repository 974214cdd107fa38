/** Runs one scenario with one kubectl against one cluster. */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { printOutcome, startKubectl, words } from './command.ts';
import type { Outcome, Running, Target } from './command.ts';
import type { Expectation, Expected, Scenario, Step } from './scenario.ts';

/** Where a scenario runs: in its own namespace. */
export type ScenarioTarget = Target & { readonly namespace: string };

const patience = Number(process.env['SSVIRT_KUBECTL_DEADLINE_MS'] ?? 60_000);

export async function runScenario({ steps, files = {} }: Scenario, target: ScenarioTarget): Promise<void> {
  const saved: { [name: string]: string } = { ns: target.namespace };
  const background = new Map<string, Running>();
  for (const [name, text] of Object.entries(files)) {
    const path = join(target.folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, fill(text, saved));
  }
  try {
    for (const step of steps) await perform(step, target, saved, background);
  } finally {
    for (const running of background.values()) running.child.kill('SIGKILL');
  }
}

async function perform(
  step: Step,
  target: Target,
  saved: { [name: string]: string },
  background: Map<string, Running>,
): Promise<void> {
  const expected = fillExpectation(step, saved);
  const title = `kubectl ${fill(step.args, saved)}`;
  if (step.background !== undefined) {
    const started = start(step, target, saved);
    background.set(step.background, started);
    if (step.begun !== undefined) await hasBegun(title, started, step.begun);
    return;
  }
  const running = step.finish === undefined ? undefined : background.get(step.finish);
  const attempt = async (): Promise<Outcome> =>
    running === undefined ? start(step, target, saved).done : running.soFar();
  const patient = step.eventually === true || running !== undefined;
  const deadline = Date.now() + (patient ? patience : 0);
  for (;;) {
    const outcome = await attempt();
    const complaint = compare(expected, outcome, running !== undefined);
    if (complaint === undefined) {
      if (step.save !== undefined) saved[step.save] = outcome.out.trim();
      break;
    }
    if (Date.now() > deadline) assert.fail(`${title}\n${complaint}\n${printOutcome(outcome)}`);
    await delay(100);
  }
  running?.child.kill('SIGINT');
}

async function hasBegun(title: string, running: Running, begun: RegExp): Promise<void> {
  const deadline = Date.now() + patience;
  while (!begun.test(running.soFar().err)) {
    if (Date.now() > deadline || running.child.exitCode !== null)
      assert.fail(`${title}\nstandard error does not match ${begun}\n${printOutcome(running.soFar())}`);
    await delay(20);
  }
}

function start(step: Step, target: Target, saved: { readonly [name: string]: string }): Running {
  const { editor, env } = step;
  return startKubectl(
    { args: words(fill(step.args, saved)), input: fill(step.input ?? '', saved), editor, env },
    target,
  );
}

/** What is wrong, if anything. For a command that still runs, only the output counts. */
function compare({ code = 0, out, err }: Expectation, outcome: Outcome, isRunning: boolean): string | undefined {
  if (out !== undefined) {
    const complaint = mismatch('standard output', out, outcome.out);
    if (complaint !== undefined) return complaint;
  }
  if (isRunning) return undefined;
  if (outcome.code !== code) return `exit code ${outcome.code} instead of ${code}`;
  const expectedError = err ?? (code === 0 ? '' : undefined);
  return expectedError === undefined ? undefined : mismatch('standard error', expectedError, outcome.err);
}

function mismatch(where: string, expected: Expected, actual: string): string | undefined {
  if (typeof expected === 'string')
    return actual === expected ? undefined : `${where} is not ${JSON.stringify(expected)}`;
  const patterns = expected instanceof RegExp ? [expected] : expected;
  const missing = patterns.find((pattern) => !pattern.test(actual));
  return missing === undefined ? undefined : `${where} does not match ${missing}`;
}

function fill(text: string, saved: { readonly [name: string]: string }): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => saved[name] ?? whole);
}

function fillExpectation({ code, out, err }: Expectation, saved: { readonly [name: string]: string }): Expectation {
  const one = (expected: Expected): Expected => {
    if (typeof expected === 'string') return fill(expected, saved);
    if (expected instanceof RegExp) return new RegExp(fill(expected.source, saved), expected.flags);
    return expected.map((pattern) => new RegExp(fill(pattern.source, saved), pattern.flags));
  };
  return {
    ...defined({ code }),
    ...(out === undefined ? {} : { out: one(out) }),
    ...(err === undefined ? {} : { err: one(err) }),
  };
}
