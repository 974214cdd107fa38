/** Which blow is tried while what is done to machines. */
import { blows, type Blow } from '../blow.ts';
import { operationNames, type OperationName } from './operations.ts';

export interface Try {
  readonly blow: Blow;
  readonly operation: OperationName;
}

export const tries: readonly Try[] = blows
  .flatMap((blow) => operationNames.map((operation): Try => ({ blow, operation })))
  .filter((one) => !isReported(one));

/** Not tried: a template instance that comes when all of its vApp has been undone is another than the row knew. It is reported, and kept for a person to look at. */
function isReported({ blow, operation }: Try): boolean {
  return blow === 'delay' && operation === 'instantiate that is refused';
}
