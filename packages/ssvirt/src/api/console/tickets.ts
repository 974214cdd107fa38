/**
 * Tickets for consoles: handed out to a caller who may use the VM while it runs, and checked again when they are used.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import {
  createConsoleTicket,
  formerConsoleTicket,
  peekConsoleTicket,
  useConsoleTicket,
  type ConsoleKind,
  type TicketHolder,
} from '../../db/tenants/console-tickets.ts';
import type { ShownVmStatus, VmId } from '../../db/schema/schema.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { getVm, type Vm } from '../../db/vms/vms.ts';
import { ruleOf } from '../auth/access/matrix.ts';
import { recordAudit } from '../audit/record.ts';
import { roleNames, type Caller, type RoleName } from '../caller.ts';
import { requireAvailable } from '../clusters/available.ts';
import type { ApiContext } from '../deps.ts';
import { ApiError, conflict, found } from '../errors.ts';

export interface GivenTicket {
  readonly ticket: string;
  readonly kind: ConsoleKind;
  readonly expiresAt: Date;
}

/** `ticketPattern` is the form in which tickets are handed out; nothing else is looked up. */
export const ticketPattern = /^[\w-]{43}$/;

const withConsole: readonly ShownVmStatus[] = ['POWERED_ON', 'SUSPENDED'];

export async function giveTicket(
  { database: { db }, clusters }: Pick<ApiContext, 'database' | 'clusters'>,
  caller: Caller,
  asked: { readonly vm: VmId; readonly kind: ConsoleKind; readonly lastsMs: number },
): Promise<GivenTicket> {
  const vm = found(await getVm(db, caller.scope, asked.vm));
  requireAvailable(caller, clusters, vm.cluster, 'the console cannot be opened');
  requireConsole(vm);
  const ticket = randomBytes(32).toString('base64url');
  const { kind, lastsMs } = asked;
  return inTransaction(db, async (tx) => {
    const row = { hash: hashOf(ticket), vm_id: vm.id, session_id: caller.sessionId, kind };
    const { expires_at: expiresAt } = await createConsoleTicket(tx, { ...row, lastsMs });
    await recordAudit(tx, caller, {
      action: 'console.ticket',
      entity: { kind: 'vm', id: vm.id, name: vm.name },
      organizationId: vm.organization_id,
      details: { kind },
    });
    return { ticket, kind, expiresAt };
  });
}

function requireConsole({ name, status }: Vm): void {
  if (withConsole.includes(status)) return;
  throw conflict(
    `${name} is ${status}; only a VM that is ${withConsole.join(' or ')} has a console. Power it on and try again.`,
  );
}

/** `peek` returns the holder of an unused ticket, without using it up. */
export function peek(pool: Pool, ticket: string): Promise<TicketHolder | undefined> {
  return admitted(pool, ticket, peekConsoleTicket);
}

/** `use` uses up the ticket and returns its holder. */
export function use(pool: Pool, ticket: string): Promise<TicketHolder | undefined> {
  return admitted(pool, ticket, useConsoleTicket);
}

/** `former` returns the holder of a ticket that existed once. */
export function former(pool: Pool, ticket: string): Promise<TicketHolder | undefined> {
  return read(pool, ticket, formerConsoleTicket);
}

type Read = (pool: Pool, hash: Buffer) => Promise<TicketHolder | undefined>;

async function read(pool: Pool, ticket: string, by: Read): Promise<TicketHolder | undefined> {
  return ticketPattern.test(ticket) ? by(pool, hashOf(ticket)) : undefined;
}

/** Roles may have been revoked since the ticket was handed out. */
async function admitted(pool: Pool, ticket: string, by: Read): Promise<TicketHolder | undefined> {
  const holder = await read(pool, ticket, by);
  return holder !== undefined && mayOpen(holder.roles) ? holder : undefined;
}

export function mayOpen(roles: readonly string[]): boolean {
  const rule = ruleOf('console.ticket');
  return rule.access === 'session' && rule.roles.some((role) => roles.includes(role));
}

/** One answer for a ticket that is unknown, used or expired, or whose session has ended. */
export function badTicket(): ApiError {
  return new ApiError(
    'ACCESS_TO_RESOURCE_IS_FORBIDDEN',
    'The ticket is not valid: it was used, has expired or does not exist. Request a new one.',
  );
}

/** For the audit. */
export function callerOfHolder(holder: TicketHolder, request: Pick<Caller, 'requestId' | 'clientAddress'>): Caller {
  const roles = holder.roles.filter((role): role is RoleName => (roleNames as readonly string[]).includes(role));
  return {
    sessionId: holder.session_id,
    userId: holder.user_id,
    userName: holder.username,
    organizationId: holder.organization_id,
    organizationName: holder.organization_name,
    roles,
    scope: roles.includes('System Administrator') ? 'all' : holder.organization_id,
    ...request,
  };
}

function hashOf(ticket: string): Buffer {
  return createHash('sha256').update(ticket).digest();
}
