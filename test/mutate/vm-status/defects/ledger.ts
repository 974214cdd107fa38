/** The ledger: what is kept of each object, and what its handler is told. */
import { unit, type VmStatusDefect } from '../defect.ts';

const ledger = unit('kube/cache/ledger.test.ts');
const table = unit('kube/cache/ledger-table.test.ts');

export const ledgerDefects: readonly VmStatusDefect[] = [
  {
    name: 'another uid under the same name is the same object',
    file: 'kube/cache/ledger-book.ts',
    find: 'if (previous !== undefined && same === undefined) this.#events.gone(',
    replace: 'if (false) this.#events.gone(',
    noticedBy: ledger,
  },
  {
    name: 'fields that differ are no change',
    file: 'kube/cache/ledger-book.ts',
    find: " || (after.digest === '' && before.fields !== after.fields)",
    replace: '',
    noticedBy: ledger,
  },
  {
    name: 'versions of before are believed when the time of a server went back',
    file: 'kube/cache/ledger-sink.ts',
    find: 'if (version.backwards && older > 0) {',
    replace: 'if (false) {',
    noticedBy: ledger,
  },
  {
    name: 'a list is read though the handler cannot follow',
    file: 'kube/cache/ledger-feed.ts',
    find: 'while (this.pending >= this.#options.limit && ',
    replace: 'while (false && ',
    noticedBy: unit('kube/cache/ledger-feed.test.ts'),
  },
  {
    name: 'what a handler failed on is lost',
    file: 'kube/cache/ledger-feed.ts',
    find: 'done.catch((error: unknown) => this.#again(delivery, error))',
    replace: 'done.catch(() => undefined)',
    noticedBy: ledger,
  },
  {
    name: 'a namespace that is closed to us is covered',
    file: 'kube/cache/ledger-keeper.ts',
    find: 'listed: scope.sink.synced',
    replace: 'listed: true',
    noticedBy: ledger,
  },
  {
    name: 'a ledger that was stopped says that nothing is there',
    file: 'kube/cache/ledger-keeper.ts',
    find: 'if (this.#stopping.signal.aborted) throw new Error(`cannot read',
    replace: 'if (false) throw new Error(`cannot read',
    noticedBy: ledger,
  },
  {
    name: 'a search in the table ends at what was deleted',
    file: 'kube/cache/ledger-table.ts',
    find: 'this.#slots[slot] = deleted;',
    replace: 'this.#slots[slot] = empty;',
    noticedBy: table,
  },
  {
    name: 'a new entry of the table was shown by the list that showed another',
    file: 'kube/cache/ledger-table.ts',
    find: 'this.#marks[id] = 0;\n    this.#occupy',
    replace: 'this.#occupy',
    noticedBy: table,
  },
  {
    name: 'the table keeps the bytes of what was written anew',
    file: 'kube/cache/ledger-table.ts',
    find: 'if (before !== free) this.#slabs.drop(before);',
    replace: '',
    noticedBy: table,
  },
  {
    name: 'what was deleted is moved to a new block',
    file: 'kube/cache/ledger-slabs.ts',
    find: 'if (this.#owner.placeOf(id) !== from) return;',
    replace: '',
    noticedBy: table,
  },
];
