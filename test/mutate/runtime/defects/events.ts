/** E: the event recorder. */
import type { RuntimeDefect } from '../defect.ts';

const correlator = ['src/kube/events/correlator.test.ts'];
const recorder = ['src/kube/events/recorder.test.ts'];

export const eventDefects: readonly RuntimeDefect[] = [
  {
    id: 'E1',
    name: 'the same event again is another one',
    file: 'kube/events/correlator.ts',
    find: 'const before = this.#seen.get(key);',
    replace: 'const before = undefined as Seen | undefined;',
    tests: correlator,
  },
  {
    id: 'E1',
    name: 'similar events are not combined',
    file: 'kube/events/correlator.ts',
    find: 'if (messages.size < similar) return false;',
    replace: 'if (messages.size > 0) return false;',
    tests: correlator,
  },
  {
    id: 'E1',
    name: 'a noisy object is not cut off',
    file: 'kube/events/spam-filter.ts',
    find: 'if (bucket.tokens < 1) return false;',
    replace: '',
    tests: correlator,
  },
  {
    id: 'E2',
    name: 'an event that is there no more is not made anew',
    file: 'kube/events/sink.ts',
    find: 'if (isNotFound(error)) return false;',
    replace: '',
    tests: recorder,
  },
  {
    id: 'E2',
    name: 'an event that the server refuses is tried again',
    file: 'kube/events/sink.ts',
    find: "wasAnswered(error) ? 'refused' : 'unreachable'",
    replace: "'unreachable'",
    tests: recorder,
  },
  {
    id: 'E2',
    name: 'the queue of events has no end',
    file: 'kube/events/recorder.ts',
    find: ' || this.#queue.length >= (this.#options.queueLength ?? 1000)',
    replace: '',
    tests: recorder,
  },
  {
    id: 'E2',
    name: 'an event is given up when the server cannot be reached once',
    file: 'kube/events/recorder.ts',
    find: 'tried >= tries ||',
    replace: 'tried >= 1 ||',
    tests: recorder,
  },
  {
    id: 'E3',
    name: 'an event about what stands in no namespace has none',
    file: 'kube/events/event.ts',
    find: "object.namespace ?? 'default'",
    replace: "object.namespace ?? ''",
    tests: ['src/kube/events/event.test.ts'],
  },
  {
    id: 'E3',
    name: 'the name of an event may be too long',
    file: 'kube/events/event.ts',
    find: 'object.slice(0, longestName - suffix.length)',
    replace: 'object',
    tests: ['src/kube/events/event.test.ts'],
  },
  {
    id: 'E1',
    name: 'the memory of events has no end',
    file: 'kube/bounded-map.ts',
    find: 'if (this.#entries.size <= this.#limit) return;',
    replace: 'if (this.#limit > 0) return;',
    tests: correlator,
  },
  {
    id: 'E2',
    name: 'an event whose answer was lost is refused',
    file: 'kube/events/sink.ts',
    find: "if (isKind(error, 'AlreadyExists')) return { outcome: 'sent' };",
    replace: '',
    tests: recorder,
  },
  {
    id: 'E2',
    name: 'a recorder that stops forgets what waits',
    file: 'kube/events/recorder.ts',
    find: 'tried >= tries || this.#stopping.signal.aborted',
    replace: 'tried >= tries',
    tests: recorder,
  },
];
