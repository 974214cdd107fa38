/** The metadata that all these kinds share: name, display texts, creation time. */
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

/** `opened` returns undefined if the object has no name: then no cluster has sent it. */
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

/** The API shows times as RFC 3339 in UTC. */
function timestamp(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** An entry can be used unless it is being deleted or something is wrong with it. */
export function readiness(deleting: boolean, fault: string): Pick<CatalogEntry, 'ready' | 'message'> {
  const message = deleting ? 'it is being deleted' : fault;
  return { ready: message === '', message };
}

/**
 * Returns the message of a Ready condition that is False, an empty text if it is True, and `unsaid` if there is none
 * yet.
 */
export function notReady(status: unknown, unsaid: string): string {
  const { conditions } = fields(status);
  if (saying(conditions, 'Ready', 'True') !== undefined) return '';
  const { message, reason } = saying(conditions, 'Ready', 'False') ?? {};
  return message ?? reason ?? unsaid;
}
