import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalSubject, type ApiAnswer, type RefusalSubject } from './api-refusal.ts';

const denied = 'admission webhook "virtualmachine-validator.kubevirt.io" denied the request: ';
const cases: readonly (readonly [why: string, answer: ApiAnswer, subject: RefusalSubject])[] = [
  [
    'a webhook with causes',
    { code: 422, reason: 'Invalid', message: `${denied}machine.type is not supported` },
    'spec',
  ],
  ['a webhook that names no code', { code: 403, reason: 'Forbidden', message: `${denied}no` }, 'spec'],
  ['a webhook that names 400 and no reason', { code: 400, message: `${denied}no` }, 'spec'],
  [
    'a policy',
    {
      code: 403,
      reason: 'Forbidden',
      message:
        "virtualmachines.kubevirt.io \"a\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no",
    },
    'spec',
  ],
  [
    'a LimitRange',
    {
      code: 403,
      reason: 'Forbidden',
      message:
        'persistentvolumeclaims "a" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 5Gi',
    },
    'spec',
  ],
  [
    'a schema',
    { code: 422, reason: 'Invalid', message: 'VirtualMachine.kubevirt.io "a" is invalid: spec: no' },
    'spec',
  ],
  ['a body that cannot be read', { code: 400, reason: 'BadRequest', message: 'cannot be decoded' }, 'spec'],
  ['a proxy', { code: 400, message: 'HTTP 400: request sent to an HTTPS port' }, 'other'],
  [
    'a quota',
    { code: 403, reason: 'Forbidden', message: 'pods "a" is forbidden: exceeded quota: q, requested: pods=1' },
    'quota',
  ],
  [
    'a quota that was never counted',
    { code: 403, reason: 'Forbidden', message: 'pods "a" is forbidden: status unknown for quota: q, resources: pods' },
    'quota',
  ],
  [
    'a quota that wants limits',
    { code: 403, reason: 'Forbidden', message: 'pods "a" is forbidden: failed quota: q: must specify limits.cpu' },
    'quota',
  ],
  [
    'a missing right',
    {
      code: 403,
      reason: 'Forbidden',
      message: 'virtualmachines.kubevirt.io is forbidden: User "op" cannot create resource "virtualmachines"',
    },
    'rights',
  ],
  [
    'a namespace that ends',
    {
      code: 403,
      reason: 'Forbidden',
      message: 'secrets "a" is forbidden: unable to create new content in namespace b because it is being terminated',
      causes: [{ reason: 'NamespaceTerminating' }],
    },
    'busy',
  ],
  [
    'a snapshot',
    {
      code: 422,
      reason: 'Invalid',
      message: `${denied}Cannot update vm disks or volumes until snapshot "s" completes`,
    },
    'busy',
  ],
  ['a proxy that forbids', { code: 403, message: 'HTTP 403: go away' }, 'other'],
  ['a server in trouble', { code: 500, reason: 'InternalError', message: `${denied}no` }, 'other'],
  ['no answer', {}, 'other'],
];

for (const [why, answer, subject] of cases)
  test(`a refusal by ${why} is about: ${subject}`, () => assert.equal(refusalSubject(answer), subject));
