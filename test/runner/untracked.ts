/**
 * Loaded before a test file. node:test follows every promise and every timer from the test that made it, only to say whose an error is that nobody has caught: in
 * tests that hold a whole server this is a tenth of all the time. Without it such an error fails the file and not the test; so it is said here in full.
 */
import hooks from 'node:async_hooks';
import { inspect } from 'node:util';

const { createHook } = hooks;
const idle: hooks.AsyncHook = { enable: () => idle, disable: () => idle };
hooks.createHook = () => idle;
// It takes the function above when it is loaded; whoever else asks for a hook gets one.
await import('node:test');
hooks.createHook = createHook;

const say = (error: unknown, event: string): unknown => process.stderr.write(`${event}: ${inspect(error)}\n`);
process.on('uncaughtExceptionMonitor', say);
process.on('unhandledRejection', (error) => {
  // Where node:test does not listen, before its tests and after them, a listener must not be what keeps the process alive.
  if (process.listenerCount('unhandledRejection') === 1) throw error;
  say(error, 'unhandledRejection');
});
