import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProgressLine } from './progress.ts';

function stream(isTTY: boolean): { isTTY: boolean; columns: number; text: string; write(text: string): void } {
  return {
    isTTY,
    columns: 20,
    text: '',
    write(text) {
      this.text += text;
    },
  };
}

test('on a terminal there is one line, which is cut where it would wrap, and gone at the end', () => {
  const terminal = stream(true);
  const line = new ProgressLine(terminal);
  line.show('waits');
  line.show('waits');
  line.show('waits for a disk that is filled\n');
  line.end();
  assert.equal(terminal.text, '\r\u001b[Kwaits\r\u001b[Kwaits for a disk t…\r\u001b[K');
});

test('elsewhere each change is a line of its own and said once, without what would steer a terminal', () => {
  const log = stream(false);
  const line = new ProgressLine(log);
  for (const text of ['one', 'one', 'two\u001b[2J', 'one', 'two\u001b[2J']) line.show(text);
  line.end('done');
  line.end();
  assert.equal(log.text, 'one\ntwo [2J\ndone\n');
});

test('on a terminal the result stays', () => {
  const terminal = stream(true);
  const line = new ProgressLine(terminal);
  line.show('waits');
  line.end('done');
  assert.equal(terminal.text, '\r\u001b[Kwaits\r\u001b[Kdone\n');
});
