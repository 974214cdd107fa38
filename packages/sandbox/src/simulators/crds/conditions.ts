/** Conditions as KubeVirt, CDI and the rest of Kubernetes write them. */
import type { Schema } from '../../objects/schema/schema.ts';
import { fields, int64, keyedList, list, text, time, word, type Details } from './schema.ts';

const common = {
  type: text('What the condition is about, such as Ready.'),
  status: text('True, False or Unknown.'),
  reason: text('The reason as one word, for programs.'),
  message: text('The reason as a sentence, for people.'),
};

const SAYS_WHAT = 'What is known about the object, one entry for each aspect.';

/** Conditions of KubeVirt: the times may be null. */
export const kubevirtConditions = (details: Details = {}): Schema =>
  list(
    SAYS_WHAT,
    fields(
      'One aspect of the object.',
      {
        ...common,
        lastProbeTime: time('When it was last checked.', { nullable: true }),
        lastTransitionTime: time('When the status last changed.', { nullable: true }),
      },
      { required: ['status', 'type'] },
    ),
    details,
  );

/** Conditions of CDI, with a heartbeat. */
export const cdiConditions = (): Schema =>
  list(
    SAYS_WHAT,
    fields(
      'One aspect of the object.',
      {
        ...common,
        lastHeartbeatTime: time('When it was last checked.'),
        lastTransitionTime: time('When the status last changed.'),
      },
      { required: ['status', 'type'] },
    ),
  );

/** Conditions by the Kubernetes API conventions. */
export const standardConditions = (): Schema =>
  keyedList(
    SAYS_WHAT,
    ['type'],
    fields(
      'One aspect of the object.',
      {
        ...common,
        type: text('What the condition is about, such as Ready.', { maxLength: 316 }),
        status: word('True, False or Unknown.', ['True', 'False', 'Unknown']),
        reason: text('The reason as one word, for programs.', {
          minLength: 1,
          maxLength: 1024,
          pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
        }),
        message: text('The reason as a sentence, for people.', { maxLength: 32768 }),
        lastTransitionTime: time('When the status last changed.'),
        observedGeneration: int64('The generation of the object that the condition refers to.', { minimum: 0 }),
      },
      { required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'] },
    ),
  );
