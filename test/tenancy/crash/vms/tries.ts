/** All combinations of a blow and an operation. */
import { blows, type Blow } from '../blow.ts';
import { operationNames, type OperationName } from './operations.ts';

export interface Try {
  readonly blow: Blow;
  readonly operation: OperationName;
}

export const tries: readonly Try[] = blows.flatMap((blow) =>
  operationNames.map((operation): Try => ({ blow, operation })),
);
