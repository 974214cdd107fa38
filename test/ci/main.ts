/**
 * Everything that a change must pass, behind `.ci/run`: the checks, the tests that need only Node, and the suites that need more. Tools are built or
 * installed once and kept outside the repository. The summary says what failed, and what could not run and why.
 */
import { resolve } from 'node:path';
import { CiRun } from './run.ts';
import { killOpenSteps, runStep, type Step } from './step.ts';

process.chdir(resolve(import.meta.dirname, '../..'));
for (const [signal, code] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const])
  process.once(signal, () => {
    killOpenSteps();
    process.exit(code);
  });

const { KUBEBUILDER_ASSETS: givenAssets, ...env } = process.env;
// `make test` has to show what a machine without these tools would. The suites get them below.
delete process.env['KUBEBUILDER_ASSETS'];

const node = 'bin/node';
/** With this exit code test/tools/install, test/tools/helm/install and test/tools/oasdiff/install say that there is no Go. */
const noGo = 3;
const run = new CiRun(75 * 60);

const checks: readonly Step[] = [
  { name: 'make check', command: ['make', 'check'], limitSeconds: 240 },
  { name: 'make test', command: ['make', 'test'], limitSeconds: 900 },
  { name: 'make build', command: ['make', 'build'], limitSeconds: 60 },
  { name: 'the built command', command: [node, 'dist/ssvirt/src/main.js', '--version'], limitSeconds: 20 },
  { name: 'planted defects', command: [node, 'test/mutate/main.ts', '--ci'], limitSeconds: 300 },
  {
    name: 'soak, one round',
    command: [node, 'bench/runtime-soak/main.ts', '--minutes', '0.1', '--round', '40', '--seed', '1'],
    limitSeconds: 150,
  },
];
for (const step of checks) await run.step(step);
await audit();
const path = await toolsOnPath();
await suites(path);
process.exitCode = run.end() ? 0 : 1;

/** Advisories of what is shipped. Not every registry answers this question. */
async function audit(): Promise<void> {
  const lines: string[] = [];
  const command: Step['command'] = ['npm', 'audit', '--omit=dev'];
  const { passed } = await runStep({ name: 'npm audit', command, limitSeconds: 60 }, (line) => lines.push(line));
  if (passed) console.log('=== npm audit: passed');
  else if (lines.some((line) => /vulnerabilit(y|ies)/.test(line))) run.fail('npm audit', lines.slice(-25));
  else run.notRun('npm audit', 'the registry does not answer it');
}

/** The PATH for the suites. A suite whose tool is missing says so itself. */
async function toolsOnPath(): Promise<string> {
  const packages: readonly (readonly [string, ...string[]])[] = [
    ['the browser', 'chromium', 'chromium-browser', 'google-chrome'],
    ['completion of zsh', 'zsh'],
    ['completion of fish', 'fish'],
    ['the export of Machines', 'jq'],
  ];
  for (const [what, ...names] of packages) await tool(what, ['test/tools/debian', ...names], 300);
  const folders = [
    await tool('the alert rules in promtool', ['test/tools/promtool'], 120),
    await tool('the suites of the chart', ['test/tools/helm/install'], 600),
    await tool('breaking changes of the API', ['test/tools/oasdiff/install'], 600),
  ];
  return [...folders, process.env['PATH']].filter((folder) => folder !== undefined).join(':');
}

/** What the command of a tool prints last. Undefined where this machine cannot have the tool; a build that breaks is a failure. */
async function tool(what: string, command: Step['command'], limitSeconds: number): Promise<string | undefined> {
  const lines: string[] = [];
  const step: Step = { name: what, command, limitSeconds };
  const { passed, code, reasons, lastLine } = await runStep(step, (line) => lines.push(line));
  if (passed) return lastLine;
  const isBuilt = command[0].endsWith('/install');
  if (isBuilt && code !== noGo) run.fail(`tools: ${command[0]}`, reasons);
  run.notRun(what, lines.at(-1) ?? `${command.join(' ')} failed`);
  return undefined;
}

async function suites(withTools: string): Promise<void> {
  const assets = givenAssets ?? (await tool('all suites: kube-apiserver and kubectl', ['test/tools/install'], 900));
  if (assets === undefined) return;
  const suitesEnv = { ...env, PATH: withTools, KUBEBUILDER_ASSETS: assets };
  await run.step({
    name: 'suites',
    command: [node, 'test/run.ts', '--suites'],
    limitSeconds: 3000,
    env: suitesEnv,
  });
}
