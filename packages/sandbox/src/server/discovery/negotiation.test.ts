import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregatedMediaType, discoveryForm } from './negotiation.ts';

const beta = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

const cases: { accept: string | undefined; form: string | undefined; reason: string }[] = [
  { accept: undefined, form: 'legacy', reason: 'no header' },
  { accept: '*/*', form: 'legacy', reason: 'curl' },
  { accept: `${aggregatedMediaType},${beta},application/json`, form: 'aggregated', reason: 'kubectl' },
  { accept: `${beta},application/json`, form: 'legacy', reason: 'the beta form is gone' },
  { accept: beta, form: undefined, reason: 'nothing that can be served' },
  { accept: `application/json, ${aggregatedMediaType}`, form: 'legacy', reason: 'the first clause wins' },
  { accept: `application/json;q=0.5, ${aggregatedMediaType}`, form: 'aggregated', reason: 'quality comes first' },
  { accept: 'application/vnd.kubernetes.protobuf,application/json', form: 'legacy', reason: 'no protobuf here' },
  {
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
    form: 'legacy',
    reason: 'kubectl get --raw',
  },
  { accept: 'text/html', form: undefined, reason: 'a type that is not served' },
];

for (const { accept, form, reason } of cases) {
  test(`discovery is ${form ?? 'refused'}: ${reason}`, () => assert.equal(discoveryForm(accept), form));
}
