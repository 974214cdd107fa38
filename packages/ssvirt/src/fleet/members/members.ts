/** The members that KubevirtConfigs have added to the fleet, by name. */
import { isDeepStrictEqual } from 'node:util';
import type { RequestOptions } from '@ssvirt/kube/client/client';
import type { OtherCluster } from '../health/compatibility.ts';
import { firstClaim, type IdentityHolder } from '../identity/identity.ts';
import { localName, type KubevirtConfig } from '../kubevirtconfig/kubevirt-config.ts';
import type { LocalMember } from './local-member.ts';
import { Member, type MemberOptions } from './member.ts';
import { assess, type MemberAssessment } from '../health/observation.ts';

export interface MembersOptions extends Pick<MemberOptions, 'parts' | 'times' | 'engaged' | 'disengaged'> {
  readonly local: LocalMember;
  readonly configs: () => readonly KubevirtConfig[];
  readonly record: (
    name: string,
    identity: string,
    before: string | undefined,
    options: RequestOptions,
  ) => Promise<string>;
  /** The status of these members must be written. */
  readonly changed: (names: readonly string[]) => void;
}

export class Members {
  readonly #options: MembersOptions;
  readonly #members = new Map<string, Member>();
  /** The uid of the KubevirtConfig behind each name. */
  readonly #uids = new Map<string, string>();
  #baseline: OtherCluster | undefined;
  #stopped = false;

  constructor(options: MembersOptions) {
    this.#options = options;
  }

  get(name: string): Member | undefined {
    return this.#members.get(name);
  }

  all(): readonly Member[] {
    return [...this.#members.values()];
  }

  /**
   * A KubevirtConfig that was deleted and created again is a new one, and knows nothing about the cluster of the first.
   */
  async ensure(name: string, uid: string): Promise<Member> {
    if (this.#uids.get(name) !== uid) await this.remove(name);
    const known = this.#members.get(name);
    if (known !== undefined) return known;
    // A reconcile that outlives the fleet must not leave a member behind that is never stopped.
    if (this.#stopped) throw new Error(`cannot take cluster "${name}" into the fleet: it has stopped`);
    this.#uids.set(name, uid);
    const { parts, times, engaged, disengaged, record } = this.#options;
    const member = new Member({
      name,
      parts,
      times,
      engaged,
      disengaged,
      record: (identity, before, options) => record(name, identity, before, options),
      holderOf: (identity) => this.#holderOf(name, identity),
      changed: () => this.#compareAnew([name]),
    });
    this.#members.set(name, member);
    return member;
  }

  /** Resolves when the member has stopped. */
  async remove(name: string): Promise<void> {
    const member = this.#members.get(name);
    if (member === undefined) return;
    this.#members.delete(name);
    this.#uids.delete(name);
    this.#compareAnew([]);
    await member.stop();
    // Another name may have waited for this cluster.
    for (const other of this.#members.values()) if (other.observation.duplicateOf === name) other.wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#members.keys()].map((name) => this.remove(name)));
  }

  assess(name: string): MemberAssessment | undefined {
    const member = this.#members.get(name);
    if (member === undefined) return undefined;
    const baseline = this.#baseline?.name === name ? undefined : this.#baseline;
    return assess(name, member.observation, baseline);
  }

  /** These members have changed, and possibly the baseline that the others are compared with. */
  #compareAnew(names: readonly string[]): void {
    const baseline = this.#findBaseline();
    const same = isDeepStrictEqual(baseline, this.#baseline);
    this.#baseline = baseline;
    // All members are compared with the first: if that one has changed, the status of all may change.
    this.#options.changed(same ? names : [...this.#members.keys()]);
  }

  #findBaseline(): OtherCluster | undefined {
    for (const name of [...this.#members.keys()].sort()) {
      const served = this.#members.get(name)?.observation.probe?.served;
      if (served !== undefined && 'versions' in served && [...served.versions.values()].some((all) => all.length > 0))
        return { name, served: served.versions };
    }
    return undefined;
  }

  #holderOf(name: string, identity: string): string | undefined {
    const { local, configs } = this.#options;
    if (local.isMember && local.identity === identity) return localName;
    const claims = configs().flatMap((config): IdentityHolder[] => {
      const { name: owner = '', creationTimestamp: createdAt = '' } = config.metadata;
      const recorded = config.status?.identity === identity || this.#members.get(owner)?.claims(identity) === true;
      return recorded || owner === name ? [{ name: owner, recorded, createdAt }] : [];
    });
    const first = firstClaim(claims);
    return first === undefined || first.name === name ? undefined : first.name;
  }
}
