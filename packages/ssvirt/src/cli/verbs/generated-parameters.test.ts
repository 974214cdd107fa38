import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { linesOf, withGenerated } from './generated-parameters.ts';

suite('generated parameters on the command line', () => {
  test('are a line each, under a warning that they are not shown again', () => {
    assert.deepEqual(linesOf({ NAME: 'shop-x7k2p', PASSWORD: 'a=b"c' }), [
      'Generated parameters (not shown again):',
      '  NAME=shop-x7k2p',
      '  PASSWORD=a=b"c',
    ]);
    assert.deepEqual(linesOf({}), []);
  });

  test('are kept with what is read after the wait, which does not have them', () => {
    const read = { id: 'urn:vcloud:vapp:1', status: 'POWERED_ON' };
    const answered = { generatedParameters: { PASSWORD: 'x' } };
    assert.deepEqual(withGenerated(read, answered), { ...read, ...answered });
    assert.deepEqual(withGenerated(read, {}), read);
  });
});
