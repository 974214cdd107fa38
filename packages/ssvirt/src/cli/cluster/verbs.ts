/** The verbs list, get and wait, shared by all kinds that are read with a kubeconfig. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseDuration } from '@ssvirt/base/config/duration';
import type { KubeObject } from '@ssvirt/kube/object';
import { outputOf, withExamples, withOutput } from '../output/command.ts';
import { withClusterOptions } from './choice.ts';
import { inCluster } from './in-cluster.ts';
import { keyOfName, scopeOf, withNamespace, withScope } from './scope.ts';
import type { Showing } from './show.ts';
import type { ShownKind } from './shown-kind.ts';
import type { Awaited } from './wait.ts';

/** Loaded on use, because the help needs no client. */
type Kind<T extends KubeObject> = () => Promise<ShownKind<T>>;

export interface VerbWords {
  readonly noun: string;
  readonly word: string;
  readonly plural: string;
  /** An example name for the help. */
  readonly name: string;
  readonly namespace: string;
}

export function registerReading<T extends KubeObject>(parent: Command, words: VerbWords, kind: Kind<T>): void {
  registerList(parent, words, kind);
  registerGet(parent, words, kind);
  registerWait(parent, words, kind);
}

function registerList<T extends KubeObject>(
  parent: Command,
  { noun, plural, namespace }: VerbWords,
  kind: Kind<T>,
): void {
  const command = showing(withScope(parent.command('list').description(`list ${plural}`), plural));
  withExamples(
    command,
    [
      `ssvirt ${noun} list -n ${namespace}`,
      `ssvirt ${noun} list -A -l tier=web -o wide`,
      `ssvirt ${noun} list -A --watch -o json`,
    ],
    '0 on success, 1 when the cluster rejects the request, 4 when it does not serve the kind, 5 when it does not answer',
  ).action(() =>
    inCluster(command, noun, async (connected) => {
      const { showAll } = await import('./show.ts');
      await showAll(await kind(), connected, scopeOf(command, connected.namespace), showingOf(command));
    }),
  );
}

function registerGet<T extends KubeObject>(parent: Command, words: VerbWords, kind: Kind<T>): void {
  const { noun, word, plural, name, namespace } = words;
  const command = showing(withNamespace(parent.command('get <NAME>').description(`show one ${word}`), plural));
  withExamples(
    command,
    [`ssvirt ${noun} get ${name} -n ${namespace} -o yaml`, `ssvirt ${noun} get ${namespace}/${name} --watch`],
    '0 when it exists, 1 when the cluster rejects the request, 4 when it does not exist, 5 when the cluster does not answer',
  ).action((asked: string) =>
    inCluster(command, noun, async (connected) => {
      const { showOne } = await import('./show.ts');
      await showOne(await kind(), connected, keyOfName(command, asked, connected.namespace), showingOf(command));
    }),
  );
}

function registerWait<T extends KubeObject>(parent: Command, words: VerbWords, kind: Kind<T>): void {
  const { noun, word, plural, name, namespace } = words;
  const command = withNamespace(
    parent
      .command('wait <NAME>')
      .description(`wait until one ${word} is ready or deleted, and show the progress on stderr`),
    plural,
  )
    .addOption(
      new Option('--for <STATE>', 'what to wait for')
        .choices(['ready', 'deleted'] satisfies Awaited[])
        .default('ready'),
    )
    .addOption(
      new Option('--timeout <DURATION>', 'the timeout, such as 90s or 10m').argParser(patience).default(300_000, '5m'),
    );
  withExamples(
    withClusterOptions(command),
    [
      `ssvirt ${noun} wait ${name} -n ${namespace}`,
      `ssvirt ${noun} wait ${name} -n ${namespace} --for deleted --timeout 10m`,
    ],
    '0 on success, 4 when it does not exist, 5 when the cluster does not answer, 7 on timeout',
  ).action((asked: string) =>
    inCluster(command, noun, async (connected) => {
      const { waitFor } = await import('./wait.ts');
      const { for: awaited, timeout: timeoutMs } = command.opts<{ readonly for: Awaited; readonly timeout: number }>();
      return waitFor(await kind(), connected, {
        ...keyOfName(command, asked, connected.namespace),
        awaited,
        timeoutMs,
      });
    }),
  );
}

const longestMs = 24 * 3_600_000;

function patience(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined || ms < 1 || ms > longestMs)
    throw new InvalidArgumentError('Write a duration of up to 24h, such as 90s or 10m.');
  return ms;
}

function showing(command: Command): Command {
  return withClusterOptions(withOutput(command))
    .option('-w, --watch', 'keep watching, and print a line for each change')
    .option('--show-secrets', 'with json and yaml: also print data meant only for the guest');
}

function showingOf(command: Command): Showing {
  const { watch = false, showSecrets = false } = command.opts<Partial<Showing>>();
  return { format: outputOf(command), watch, showSecrets };
}
