/** Where no node is simulated, nobody answers virt-api: what it says then is what it says of a node that it cannot reach. */
import type { VirtHandler } from './kubevirt/virt-handler.ts';
import { StatusAnswer } from './serving/contracts.ts';

const nobody = (): Promise<never> =>
  Promise.reject(
    new StatusAnswer(
      500,
      'InternalError',
      'Internal error occurred: unable to find virt-handler: no node is simulated',
    ),
  );

export const noVirtHandler: VirtHandler = {
  pause: nobody,
  unpause: nobody,
  softReboot: nobody,
  reset: nobody,
  freeze: nobody,
  unfreeze: nobody,
  guestOsInfo: nobody,
  userList: nobody,
  filesystemList: nobody,
  screenshot: nobody,
  open: nobody,
  portForward: nobody,
  other: nobody,
};
