/**
 * virt-launcher-eviction-interceptor: turns the eviction of a launcher pod into a migration of its VMI, if the VMI's
 * eviction strategy asks for that.
 */
import { isNotFound } from '@ssvirt/kube/errors';
import type { AdmissionAnswer, ReviewRequest } from '../../serving/contracts.ts';
import { pods, virtualMachineInstances, type Pod, type VirtualMachineInstance } from '../objects.ts';
import { allowed, failed } from './answer.ts';
import type { AdmissionContext } from './context.ts';
import { serverWords } from '../../server-words.ts';

const DOMAIN = 'kubevirt.io/domain';
const TOO_MANY_REQUESTS = 429;

export async function judgeEviction(context: AdmissionContext, request: ReviewRequest): Promise<AdmissionAnswer> {
  const { name = '', namespace = '' } = request;
  if (!name.startsWith('virt-launcher')) return allowed;
  const pod = await podOf(context, name, namespace);
  const vmiName = pod?.metadata.annotations?.[DOMAIN];
  if (pod?.metadata.labels?.['kubevirt.io'] !== 'virt-launcher' || vmiName === undefined) return allowed;
  if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return allowed;
  let vmi: VirtualMachineInstance;
  try {
    vmi = await context.cluster.client.get(virtualMachineInstances, { name: vmiName, namespace });
  } catch (error) {
    return refusedFor(`kubevirt failed getting the vmi: ${serverWords(error)}`);
  }
  return judge(context, request, pod, vmi);
}

async function podOf({ cluster }: AdmissionContext, name: string, namespace: string): Promise<Pod | undefined> {
  try {
    return await cluster.client.get(pods, { name, namespace });
  } catch (error) {
    // The API server answers the eviction of a missing pod itself.
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function judge(
  context: AdmissionContext,
  request: ReviewRequest,
  pod: Pod,
  vmi: VirtualMachineInstance,
): Promise<AdmissionAnswer> {
  const given = vmi.spec['evictionStrategy'];
  const strategy = typeof given === 'string' ? given : context.config().evictionStrategy;
  const movable = vmi.status?.conditions?.some(({ type, status }) => type === 'LiveMigratable' && status === 'True');
  const called = `${vmi.metadata.namespace ?? ''}/${vmi.metadata.name ?? ''}`;
  if (strategy === 'LiveMigrate' && movable !== true) {
    const text = `VMI ${vmi.metadata.name ?? ''} is configured with an eviction strategy but is not live-migratable`;
    return refusedFor(text);
  }
  const moves =
    strategy === 'External' || (['LiveMigrate', 'LiveMigrateIfPossible'].includes(strategy) && movable === true);
  const node = vmi.status?.nodeName;
  if (!moves || node === undefined || pod.spec.nodeName !== node) return allowed;
  const triggered = `Eviction triggered evacuation of VMI "${called}"`;
  if (typeof vmi.status?.['evacuationNodeName'] === 'string') return refusedFor(`Evacuation in progress: ${triggered}`);
  if (request.dryRun === true) return refusedFor(triggered);
  try {
    const { name = '', namespace = '' } = vmi.metadata;
    const operations = [{ op: 'add', path: '/status/evacuationNodeName', value: node }] as const;
    await context.cluster.client.patch(virtualMachineInstances, { name, namespace }, { type: 'json', operations });
  } catch (error) {
    return refusedFor(`kubevirt failed marking the vmi for eviction: ${serverWords(error)}`);
  }
  return refusedFor(triggered);
}

const refusedFor = (message: string): AdmissionAnswer => failed(message, TOO_MANY_REQUESTS);
