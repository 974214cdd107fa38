import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedFailures } from './expected-failures.ts';
import { FailedRequests, failedRequestsIn } from './failed-requests.ts';

const metrics = `# TYPE rest_client_failed_requests_total counter
rest_client_failed_requests_total{code="406",method="PUT",resource="virtualmachines.subresources.kubevirt.io/start",host="a:1"} 2
rest_client_failed_requests_total{code="404",method="GET",resource="secrets",host="a:1"} 1
rest_client_failed_requests_total{code="404",method="GET",resource="never",host="a:1"} 0
rest_client_requests_total{code="500",method="GET",host="a:1"} 9
`;
const refused = {
  process: 'x',
  code: '406',
  method: 'PUT',
  resource: 'virtualmachines.subresources.kubevirt.io/start',
};
const text = 'x was answered 406 to PUT virtualmachines.subresources.kubevirt.io/start';

test('failed requests are read from the metrics of a process', () => {
  assert.deepEqual(failedRequestsIn('x', metrics), [
    refused,
    { process: 'x', code: '404', method: 'GET', resource: 'secrets' },
  ]);
});

test('an undeclared failure is unexpected, and is listed once for any number of occurrences', () => {
  const seen = new FailedRequests();
  seen.add(failedRequestsIn('x', metrics));
  seen.add(failedRequestsIn('x', metrics));
  assert.deepEqual(seen.unexpected(expectedFailures), [text]);
  const reason = 'a test';
  assert.deepEqual(seen.unexpected([...expectedFailures, { ...refused, reason }]), []);
  assert.deepEqual(seen.unexpected([...expectedFailures, { ...refused, process: 'y', reason }]), [text]);
  assert.deepEqual(seen.unexpected([...expectedFailures, { ...refused, code: '415', reason }]), [text]);
});

test('a restart of a process is unexpected, whatever is declared', () => {
  const seen = new FailedRequests();
  seen.addRestart('x');
  seen.addRestart('x');
  assert.deepEqual(seen.unexpected(expectedFailures), ['x was restarted']);
});

test('every declaration has a reason and names its resources', () => {
  for (const { reason, resource } of expectedFailures) {
    assert.match(reason, /^[A-Z].{20,}\.$/);
    assert.ok([resource].flat().length > 0);
  }
});
