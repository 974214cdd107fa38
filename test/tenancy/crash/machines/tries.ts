/** Which blow is tried while what is done to machines. */
import { blows, type Blow } from '../blow.ts';
import { operationNames, type OperationName } from './operations.ts';

export interface Try {
  readonly blow: Blow;
  readonly operation: OperationName;
}

export const tries: readonly Try[] = blows
  .flatMap((blow) => operationNames.map((operation): Try => ({ blow, operation })))
  .filter((one) => !isLeft(one));

/**
 * Not tried: a Secret for a guest that is on its way longer than its sender waits, and comes when the machine has been refused and undone, stays. Nobody lists
 * Secrets, so nobody finds it. A cluster gives a request up when who sent it has hung up; only here it does not.
 */
function isLeft({ blow, operation }: Try): boolean {
  return blow === 'delay' && operation === 'create that is refused';
}
