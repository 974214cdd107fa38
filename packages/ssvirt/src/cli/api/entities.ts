/** What the commands name of the schemas of the API. JSON and YAML output is the whole answer, unchanged. */
import type { Schemas } from '@ssvirt/api-client/client';

export interface Entity {
  readonly id: string;
}

/** `Changed` is an object, with the task that a cluster must end if there is one. */
export type Changed<T extends Entity> = T & { readonly task?: Schemas['Task'] };

/** VMs and vApps have it in common. */
export type PowerAction = 'powerOn' | 'powerOff' | 'shutdown' | 'reset' | 'reboot' | 'suspend' | 'resume';
