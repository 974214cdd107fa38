/** What all of these kinds have: a name, words for people, an age. */
import { saying } from '../facts/condition.ts';
import { fields, known, text, type Fields } from '../facts/reading.ts';
import type { CatalogEntry } from './entry.ts';

const LONGEST_DESCRIPTION = 1024;
const MOST_TAGS = 32;

export type Envelope = Pick<
  CatalogEntry,
  'namespace' | 'name' | 'displayName' | 'description' | 'createdAt' | 'tags' | 'deprecated'
>;

export interface Opened {
  readonly envelope: Envelope;
  readonly labels: Fields;
  readonly annotations: Fields;
  readonly deleting: boolean;
}

/** Undefined where it has no name: then it is nothing that a cluster has sent. */
export function opened(metadata: unknown): Opened | undefined {
  const { name, namespace, labels, annotations, creationTimestamp, deletionTimestamp } = fields(metadata);
  const called = text(name);
  if (called === undefined) return undefined;
  const words = fields(annotations);
  const envelope = known<Envelope>({
    namespace: text(namespace) ?? '',
    name: called,
    displayName: text(words['openshift.io/display-name']) ?? called,
    description: text(words['description'], LONGEST_DESCRIPTION) ?? '',
    createdAt: timestamp(creationTimestamp),
    tags: tagsIn(words['tags']),
    deprecated: words['template.kubevirt.io/deprecated'] === 'true',
  });
  return { envelope, labels: fields(labels), annotations: words, deleting: deletionTimestamp !== undefined };
}

function tagsIn(value: unknown): readonly string[] {
  const tags = (text(value, LONGEST_DESCRIPTION) ?? '').split(',').map((tag) => tag.trim());
  return tags.filter((tag) => tag !== '').slice(0, MOST_TAGS);
}

/** As the API shows times: RFC 3339 in UTC. */
function timestamp(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** Whether it can be used: not while it goes away, nor where something is wrong with it. */
export function readiness(deleting: boolean, fault: string): Pick<CatalogEntry, 'ready' | 'message'> {
  const message = deleting ? 'it is being deleted' : fault;
  return { ready: message === '', message };
}

/** What the condition Ready says against it; `unsaid` where there is none yet. */
export function notReady(status: unknown, unsaid: string): string {
  const { conditions } = fields(status);
  if (saying(conditions, 'Ready', 'True') !== undefined) return '';
  const { message, reason } = saying(conditions, 'Ready', 'False') ?? {};
  return message ?? reason ?? unsaid;
}
