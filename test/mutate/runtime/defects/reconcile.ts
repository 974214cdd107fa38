/** P4 and P5: what reconcilers are made of, and server-side apply. */
import type { RuntimeDefect } from '../defect.ts';

const owners = ['src/kube/reconcile/owners.test.ts'];
const sandbox = ['test/runtime/sandbox.test.ts'];
const client = ['src/kube/client/kube-client.test.ts'];

export const reconcileDefects: readonly RuntimeDefect[] = [
  {
    id: 'P4',
    name: 'a second controller takes the child over',
    file: 'kube/reconcile/owners.ts',
    find: 'if (controller !== undefined)\n',
    replace: 'if (false)\n',
    tests: owners,
  },
  {
    id: 'P4',
    name: 'an owner in another namespace is written down',
    file: 'kube/reconcile/owners.ts',
    find: 'if (child.metadata.namespace !== owner.object.metadata.namespace) refuse',
    replace: 'if (false) refuse',
    tests: owners,
  },
  {
    id: 'P4',
    name: 'an optimistic patch is not bound to what was read',
    file: 'kube/reconcile/merge-patch.ts',
    find: ', ...lockOn(before) };',
    replace: ' };',
    tests: ['src/kube/reconcile/merge-patch.test.ts'],
  },
  {
    id: 'P4',
    name: 'a finalizer of somebody else is lost',
    file: 'kube/reconcile/finalizers.ts',
    find: 'metadata: { ...lockOn(object), finalizers }',
    replace: 'metadata: { finalizers }',
    tests: sandbox,
  },
  {
    id: 'P4',
    name: 'create-or-patch writes what does not differ',
    file: 'kube/reconcile/create-or-patch.ts',
    find: "if (patch === undefined) return { object: live, outcome: 'unchanged' };",
    replace: "if (patch === undefined) return { object: await client.update(type, live), outcome: 'unchanged' };",
    tests: sandbox,
  },
  {
    id: 'P5',
    name: 'an apply is sent as another patch',
    file: 'kube/client/kube-client.ts',
    find: "contentType: 'application/apply-patch+yaml'",
    replace: "contentType: 'application/merge-patch+json'",
    tests: client,
  },
  {
    id: 'P5',
    name: 'the field manager of a client is not sent',
    file: 'kube/client/parameters.ts',
    find: 'options.fieldManager ?? defaults.fieldManager',
    replace: 'options.fieldManager',
    tests: client,
  },
  {
    id: 'P5',
    name: 'unknown fields are not refused',
    file: 'kube/client/parameters.ts',
    find: 'options.fieldValidation ?? defaults.fieldValidation',
    replace: 'options.fieldValidation',
    tests: client,
  },
  {
    id: 'P5',
    name: 'an apply never takes the fields of others',
    file: 'kube/client/kube-client.ts',
    find: "options.force === true ? 'true' : undefined",
    replace: 'undefined',
    tests: sandbox,
  },
];
