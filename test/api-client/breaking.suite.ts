/** A change that breaks clients of the released API has to be named in the changelog. */
// needs: oasdiff
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { contractOf, readDocument, releasedFile, type ApiDocument } from '../../deploy/api-client/released.ts';
import { throwAwayFolder, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { findTool } from '../not-run.ts';
import { breakingChanges, unnamed, type Finding } from './breaking.ts';

const repository = resolve(import.meta.dirname, '../..');
const oasdiff = findTool('oasdiff') ?? '';
const current = readDocument(join(repository, 'docs/openapi.json'));
const changelog = readFileSync(join(repository, 'CHANGELOG.md'), 'utf8');
let folder: ThrowAwayFolder;

before(async () => {
  folder = await throwAwayFolder('ssvirt-breaking-');
});

after(() => folder?.remove());

function findings(released: ApiDocument, now: ApiDocument): readonly Finding[] {
  return breakingChanges({ oasdiff, folder: folder.path }, released, now);
}

test('the changelog names every change that breaks clients of the released API', () => {
  const missing = unnamed(findings(readDocument(releasedFile), current), changelog);
  assert.deepEqual(
    missing,
    [],
    'take the change back, or write an entry under Unreleased: Breaking: `METHOD /path`: `field` …, and what clients do',
  );
});

test('a document breaks nothing of itself', () => {
  assert.deepEqual(findings(contractOf(current), current), []);
});

interface Change {
  readonly change: string;
  /** What is edited: a part of the document, and what becomes of it. */
  readonly edit: (document: Editable) => void;
  readonly finding: RegExp;
  /** An entry that names it. */
  readonly entry: string;
}

/** A document whose parts are looked up and replaced by name. */
class Editable {
  readonly document = structuredClone(current) as unknown as Record<string, unknown>;

  part(...path: readonly string[]): Record<string, unknown> {
    let at = this.document;
    for (const name of path) at = at[name] as Record<string, unknown>;
    assert.ok(at, path.join(' '));
    return at;
  }

  schema(name: string, ...path: readonly string[]): Record<string, unknown> {
    return this.part('components', 'schemas', name, ...path);
  }
}

const vm = '/cloudapi/1.0.0/vms/{vmId}';

const changes: readonly Change[] = [
  {
    change: 'an operation is removed',
    edit: (document) => delete document.part('paths', vm)['delete'],
    finding: /^DELETE .*removed/,
    entry: `\`DELETE ${vm}\` is gone.`,
  },
  {
    change: 'a field of an answer is removed',
    edit: (document) => {
      for (const name of ['Vm', 'ChangedVm']) {
        delete document.schema(name, 'properties')['hostName'];
        const required = document.schema(name)['required'] as readonly string[];
        document.schema(name)['required'] = required.filter((field) => field !== 'hostName');
      }
    },
    finding: /removed the required property `.*hostName`/,
    entry: '`* *vms*`: `hostName` is gone.',
  },
  {
    change: 'a field of a request becomes required',
    edit: (document) => (document.schema('NewVapp')['required'] = ['name', 'description']),
    finding: /`description` became required/,
    entry: '`POST /cloudapi/1.0.0/vdcs/{vdcId}/vapps`: `description` is required.',
  },
  {
    change: 'a limit of a request is narrowed',
    edit: (document) => (document.schema('NewDisk', 'properties', 'sizeGb')['maximum'] = 100),
    finding: /sizeGb`.*max.*100/,
    entry: '`POST /cloudapi/*`: `sizeGb` is at most 100.',
  },
  {
    change: 'a value of a request is refused',
    edit: (document) => (document.schema('NewVdc', 'properties', 'allocationModel')['enum'] = ['Flex']),
    finding: /removed the enum value `PayAsYouGo`/,
    entry:
      '`POST /api/admin/org/{orgId}/vdcs`: `allocationModel` is not `PayAsYouGo`, `AllocationPool` or `ReservationPool`.',
  },
  {
    change: 'a field of an answer changes its type',
    edit: (document) => (document.schema('Task', 'properties', 'progress')['type'] = 'string'),
    finding: /progress`.*type.*`integer` to `string`/,
    entry: '`* *`: `progress` is text.',
  },
  {
    change: 'a field of an answer may be null',
    edit: (document) => (document.schema('Vm', 'properties', 'name')['type'] = ['string', 'null']),
    finding: /name` became nullable/,
    entry: '`GET *vms*`: `name` may be null.',
  },
  {
    change: 'a value of an answer is removed',
    edit: (document) => (document.schema('CatalogItem', 'properties', 'status')['enum'] = ['AVAILABLE']),
    finding: /`UNAVAILABLE`/,
    entry: '`* /cloudapi/1.0.0/catalogs/{catalogId}/catalogItems*`: `status` is never `UNAVAILABLE`.',
  },
  {
    change: 'a parameter is renamed',
    edit: (document) => {
      const parameters = document.part('paths', vm, 'delete')['parameters'] as readonly Record<string, unknown>[];
      for (const one of parameters) if (one['name'] === 'force') one['name'] = 'forced';
    },
    finding: /deleted the `query` request parameter `force`/,
    entry: `\`DELETE ${vm}\`: \`force\` is \`forced\` now.`,
  },
];

for (const { change, edit, finding, entry } of changes)
  test(`a change is found, and is no finding where the changelog names it: ${change}`, () => {
    const edited = new Editable();
    edit(edited);
    const found = findings(contractOf(current), edited.document as unknown as ApiDocument);
    const lines = unnamed(found, '## [Unreleased]\n\n- Other things.\n\n## [0.1.0]\n');
    assert.ok(lines.length > 0, 'nothing was found');
    assert.ok(
      lines.some((line) => finding.test(line)),
      lines.join('\n'),
    );
    // Named in the part of another version, it is not named.
    assert.deepEqual(unnamed(found, `## [Unreleased]\n\n## [0.1.0]\n\n- Breaking: ${entry}\n`), lines);
    const left = unnamed(found, `## [Unreleased]\n\n- Breaking: ${entry}\n\n## [0.1.0]\n`);
    assert.deepEqual(left, [], 'named');
  });
