/** Answers virt-api if no nodes are simulated, with the error for a node that cannot be reached. */
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
