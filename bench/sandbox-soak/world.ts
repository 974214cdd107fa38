/** What all parts of a soak share. */
import type { Dice } from '../../test/conformance/dice.ts';
import type { FaultDesk } from './fault-desk.ts';
import { Gate } from './gate.ts';
import type { SandboxProcess } from './sandbox-process.ts';
import type { Violations } from './violations.ts';

export interface Counts {
  requests: number;
  /** Writes that were acknowledged. */
  acknowledged: number;
  /** Writes whose outcome had to be looked up. */
  inDoubt: number;
  events: number;
  lists: number;
  resumed: number;
  scenes: number;
}

export class World {
  readonly sandbox: SandboxProcess;
  readonly desk: FaultDesk;
  readonly violations: Violations;
  readonly dice: Dice;
  readonly writing = new Gate();
  readonly watching = new Gate();
  readonly counts: Counts = {
    requests: 0,
    acknowledged: 0,
    inDoubt: 0,
    events: 0,
    lists: 0,
    resumed: 0,
    scenes: 0,
  };
  /** The newest acknowledged revision. It may never be lost, except by an announced reset. */
  revision = 0;
  /** Writers finish what they have begun. */
  finishing = false;
  /** All loops end. */
  stopping = false;
  /** Unexplained slowness: on a busy host it is not a defect, so it is only counted. */
  suspicions: string[] = [];

  constructor(sandbox: SandboxProcess, desk: FaultDesk, violations: Violations, dice: Dice) {
    this.sandbox = sandbox;
    this.desk = desk;
    this.violations = violations;
    this.dice = dice;
  }

  suspect(text: string): void {
    this.suspicions.push(text);
  }
}

export const pause = (milliseconds: number): Promise<void> => new Promise((wake) => setTimeout(wake, milliseconds));
