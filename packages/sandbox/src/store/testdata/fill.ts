/**
 * Writes to a store on disk until a write fails, and prints what was acknowledged. Run it with a limit on file sizes.
 */
import { Journal } from '../journal.ts';
import { Store } from '../store.ts';

const [folder = '', padding = '100', rewriteAbove = '1000000000'] = process.argv.slice(2);
const store = new Store({
  eventWindow: 10,
  journal: new Journal(folder, { rewriteAbove: Number(rewriteAbove) }),
});
const acknowledged: string[] = [];
let refusals = 0;
for (let i = 0; refusals < 3 && i < 10_000; i++) {
  const name = `object-${i}`;
  const object = {
    apiVersion: 'v1',
    kind: 'K',
    metadata: { name },
    data: 'x'.repeat(i % 2 === 0 ? Number(padding) : 1),
  };
  const before = store.revision;
  try {
    store.put('things', object, 0);
    acknowledged.push(name);
  } catch (error) {
    refusals++;
    if (store.revision !== before || store.table('things').get(name) !== undefined)
      throw new Error('a refused write left its mark', { cause: error });
    if (refusals === 1) process.stderr.write(`${String(error)}\n`);
  }
}
process.stdout.write(JSON.stringify({ acknowledged, revision: store.revision, refusals }));
