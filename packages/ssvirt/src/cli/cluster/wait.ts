/** `NOUN wait`: waits until an object matches its spec or is gone, and shows a progress line. */
import type { KubeObject } from '@ssvirt/kube/object';
import { exitCodes, type ExitCode } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { span } from '../output/ago.ts';
import { ProgressLine } from '../output/progress.ts';
import { note } from '../output/streams.ts';
import type { Connected } from './connect.ts';
import { follow } from './follow.ts';
import { absenceText, nearby } from './nearby.ts';
import type { ShownKind } from './shown-kind.ts';

export type Awaited = 'ready' | 'deleted';

export interface Waiting {
  readonly namespace: string;
  readonly name: string;
  readonly awaited: Awaited;
  readonly timeoutMs: number;
}

export async function waitFor<T extends KubeObject>(
  kind: ShownKind<T>,
  { client }: Connected,
  { namespace, name, awaited, timeoutMs }: Waiting,
): Promise<ExitCode> {
  const { type, word, noun } = kind;
  const enough = new AbortController();
  const timeout = AbortSignal.timeout(timeoutMs);
  const line = new ProgressLine();
  let outcome: 'reached' | 'absent' | 'deleted' | undefined;
  let says = 'no status yet';
  const settle = (how: typeof outcome): void => {
    outcome = how;
    enough.abort();
  };
  const see = (one: T): void => {
    const { state, says: said } = kind.standing(one);
    says = said;
    if (awaited === 'ready' && state === 'ready') settle('reached');
    else line.show(`${noun} ${name}: ${said}`);
  };
  const selection = { namespace, fieldSelector: `metadata.name=${name}` };
  const follower = {
    begin(all: readonly T[]) {
      const [one] = all;
      if (one !== undefined) see(one);
      else settle(awaited === 'deleted' ? 'reached' : 'absent');
    },
    changed: see,
    gone: () => settle(awaited === 'deleted' ? 'reached' : 'deleted'),
  };
  try {
    await follow({ client, type, selection }, follower, AbortSignal.any([enough.signal, timeout]));
  } finally {
    line.end();
  }
  const which = `${word} "${name}" in namespace "${namespace}"`;
  switch (outcome) {
    case 'reached':
      note(`${noun} ${name}: ${awaited === 'deleted' ? 'gone' : says}`);
      return exitCodes.done;
    case 'deleted':
      throw new CliFailure(`${which} was deleted before it was ready`, exitCodes.notFound);
    case 'absent': {
      const near = await nearby({ client, signal: AbortSignal.timeout(timeoutMs) }, type, namespace, name);
      throw new CliFailure(absenceText({ word, type, namespace, name }, near), exitCodes.notFound);
    }
    case undefined:
      throw new CliFailure(
        `${which} is not ${awaited} after ${span(timeoutMs)}: ${says}. See "ssvirt ${noun} debug ${name} -n ${namespace}"`,
        exitCodes.timeout,
      );
  }
}
