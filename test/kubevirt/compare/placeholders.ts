/** The placeholders of a recording for generated values, and their values in a live run. */
import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '../../../packages/sandbox/src/values/json.ts';
import { isObject } from '../../../packages/sandbox/src/values/json.ts';
import { bareName, type Identity } from '../identity.ts';

const shortKinds: Readonly<Record<string, string>> = {
  VM: 'VirtualMachine',
  VMI: 'VirtualMachineInstance',
  VMIM: 'VirtualMachineInstanceMigration',
  DV: 'DataVolume',
  PVC: 'PersistentVolumeClaim',
};

/** The registry of the recorded images. */
export const imageHost = 'images.example';

export class Placeholders {
  readonly namespace: string;
  /** Live objects and recorded names by identity. */
  readonly #live = new Map<Identity, JsonObject>();
  readonly #recorded = new Map<string, Identity>();
  readonly #uuids = new Map<string, string>();

  constructor(namespace: string) {
    this.namespace = namespace;
  }

  sawLive(identity: Identity, object: JsonObject): void {
    this.#live.set(identity, object);
  }

  /** A name means the newest object with that name. */
  sawRecorded(identity: Identity, kind: string, name: string): void {
    this.#recorded.set(`${kind}/${name}`, identity);
  }

  /** The live name of an object with this recorded name; undefined if it does not exist. */
  liveName(kind: string, recorded: string): string | undefined {
    if (!recorded.includes('<')) return recorded;
    const identity = this.#recorded.get(`${kind}/${recorded}`);
    const object = identity === undefined ? undefined : this.#live.get(identity);
    return object === undefined ? undefined : nameOf(object);
  }

  /** A recorded value in the form in which it is sent. */
  bind(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.bind(item));
    if (typeof value === 'string') return this.bindText(value);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]) =>
        item === undefined ? [] : [[this.bindText(key), this.bind(item)]],
      ),
    );
  }

  bindText(text: string): string {
    if (text === 'ns1') return this.namespace;
    return text
      .replace(/\/ns1(?=\/|$)/g, `/${this.namespace}`)
      .replaceAll(/[\w.-]*<gen#\d+>/g, (name) => this.#generated(name))
      .replaceAll(/<([^>]*)>/g, (whole, inside: string) => this.#value(whole, inside));
  }

  /** A live text in the form of the recording. */
  unbind(text: string): string {
    let result = text.replaceAll(this.namespace, 'ns1');
    for (const [key, identity] of this.#recorded) {
      const object = this.#live.get(identity);
      if (object === undefined) continue;
      const recorded = key.slice(key.indexOf('/') + 1);
      if (recorded.includes('<')) result = result.replaceAll(nameOf(object), recorded);
    }
    for (const [identity, object] of this.#live) {
      const uid = (object['metadata'] as JsonObject | undefined)?.['uid'];
      if (typeof uid === 'string' && result.includes(uid)) result = result.replaceAll(uid, uidPlaceholder(identity));
    }
    return result;
  }

  #generated(recorded: string): string {
    for (const kind of ['Pod', 'VirtualMachineInstanceMigration']) {
      const name = this.liveName(kind, recorded);
      if (name !== undefined) return name;
    }
    throw new Error(`cannot say which object is ${recorded}: nothing like it is there`);
  }

  #value(whole: string, inside: string): string {
    const [, kind = '', name = '', ordinal = ''] = /^uid:(\w+):(.*)#(\d+)$/.exec(inside) ?? [];
    if (kind !== '') {
      const identity = `${shortKinds[kind] ?? kind} ${name} #${ordinal}`;
      const uid = (this.#live.get(identity)?.['metadata'] as JsonObject | undefined)?.['uid'];
      if (typeof uid === 'string') return uid;
      throw new Error(`cannot bind ${whole}: there is no ${identity}`);
    }
    const ahead = /^time(?:\+(\d+)s)?$/.exec(inside);
    if (ahead !== null) return timestamp(Date.now() + Number(ahead[1] ?? 0) * 1000);
    if (inside.startsWith('uuid')) {
      const known = this.#uuids.get(inside) ?? randomUUID();
      this.#uuids.set(inside, known);
      return known;
    }
    return { 'image-host': imageHost, loopback: '127.0.0.1', 'virt-handler': '127.0.0.1' }[inside] ?? whole;
  }
}

function uidPlaceholder(identity: Identity): string {
  const [kind = '', name = '', ordinal = ''] = identity.split(' ');
  const short = Object.entries(shortKinds).find(([, whole]) => whole === kind)?.[0];
  return `<uid:${short ?? kind}:${name}${ordinal}>`;
}

function nameOf(object: JsonObject): string {
  return String((object['metadata'] as JsonObject)['name'] ?? bareName(object));
}

function timestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
