/** Which objects of a kind a command applies to: by namespace, label or name. */
import { Option, type Command } from 'commander';
import type { Selection } from '@ssvirt/kube/client/client';
import type { ObjectKey } from '@ssvirt/kube/object';
import { labelSelector } from '@ssvirt/kube/selectors';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';

interface ScopeOptions {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly selector?: string;
}

export function withNamespace(command: Command, of: string): Command {
  return command.option('-n, --namespace <NAME>', `the namespace of the ${of}; default: that of the context`);
}

export function withScope(command: Command, of: string): Command {
  return withNamespace(command, of)
    .addOption(new Option('-A, --all-namespaces', `the ${of} of all namespaces`).conflicts('namespace'))
    .option('-l, --selector <LABELS>', `only ${of} with these labels, such as tier=web,env!=test`);
}

export interface NamespaceScope {
  readonly selection: Selection;
  readonly allNamespaces: boolean;
}

export function scopeOf(command: Command, ofContext: string): NamespaceScope {
  const { namespace = ofContext, allNamespaces = false, selector } = command.opts<ScopeOptions>();
  return {
    allNamespaces,
    selection: {
      ...(allNamespaces ? {} : { namespace }),
      ...(selector === undefined ? {} : { labelSelector: checked(selector) }),
    },
  };
}

function checked(selector: string): string {
  try {
    labelSelector(selector);
    return selector;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliFailure(`${why}: write it such as tier=web,env!=test`, exitCodes.usage);
  }
}

/** `keyOfName` parses `NAME`, or `NAMESPACE/NAME` as `-o name` prints it for all namespaces. */
export function keyOfName(command: Command, name: string, ofContext: string): Required<ObjectKey> {
  const { namespace } = command.opts<ScopeOptions>();
  const [before = '', after] = name.split('/', 2);
  if (after === undefined) return { namespace: namespace ?? ofContext, name };
  if (namespace !== undefined && namespace !== before)
    throw new CliFailure(
      `"${name}" names the namespace "${before}", but -n says "${namespace}": leave one of them out`,
      exitCodes.usage,
    );
  return { namespace: before, name: after };
}
