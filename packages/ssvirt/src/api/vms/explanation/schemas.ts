/** The explanation of a VM. The explorer page shows the descriptions. */
import { Type, type Static } from 'typebox';
import { SyncFailureBody } from '../../clusters/sync-failures/render.ts';
import { named, orNull } from '../../http/schemas.ts';
import { TaskBody } from '../../tasks/render.ts';
import { VappBody } from '../../vapps/schemas.ts';
import { VdcBody } from '../../vdcs/schemas.ts';
import { VmBody } from '../schemas.ts';

export const Finding = named(
  'Finding',
  Type.Object({
    severity: Type.Enum(['wrong', 'underway', 'note'], {
      description: 'wrong needs an action; underway needs patience; note is good to know',
    }),
    reason: Type.String({
      description: 'A constant: the reason of a fault or of a stale status, TASK_FAILED, NOT_CREATED and so on',
    }),
    what: Type.String({ description: 'One sentence' }),
    why: orNull(Type.String(), 'The cause, as far as it is known'),
    remedy: orNull(Type.String(), 'What to do'),
  }),
);

export const VmExplanation = named(
  'VmExplanation',
  Type.Object({
    verdict: Type.Enum(['well', 'underway', 'wrong'], { description: 'underway: the only thing to do is to wait' }),
    summary: Type.String({ description: 'What the status means' }),
    findings: Type.Array(Finding, { description: 'The most important first' }),
    next: Type.Array(Type.String(), { description: 'Commands that help next' }),
    vm: VmBody,
    vapp: Type.Optional(VappBody),
    vdc: Type.Optional(VdcBody),
    tasks: Type.Array(TaskBody, { description: 'The last tasks of the VM and of its vApp, newest first' }),
    syncFailures: Type.Optional(
      Type.Array(SyncFailureBody, { description: 'Open ones; only for system administrators' }),
    ),
  }),
);

export type FindingShape = Static<typeof Finding>;
export type VmExplanationShape = Static<typeof VmExplanation>;
