/** Which blow is tried while what is done to machines. */
import { blows, type Blow } from '../blow.ts';
import { operationNames, type OperationName } from './operations.ts';

export interface Try {
  readonly blow: Blow;
  readonly operation: OperationName;
}

export const tries: readonly Try[] = blows.flatMap((blow) =>
  operationNames.map((operation): Try => ({ blow, operation })),
);
