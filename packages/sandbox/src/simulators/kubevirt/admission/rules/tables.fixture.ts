/** Tables of answers of virt-api: a change to a spec that passes all rules, and the causes of its refusal. */
import type { JsonObject } from '../../../../values/json.ts';
import type { Cause } from '../cause.ts';
import { clusterConfig } from '../cluster-config.ts';
import { vmiSpecCauses } from '../vm/vmi-spec.ts';
import { vmiSpec } from './vmi-spec.fixture.ts';

export interface Row {
  readonly name: string;
  readonly change: JsonObject;
  /** Each as `Kind field: message`, with `~` for the path of the spec. */
  readonly causes: readonly string[];
  readonly gates?: readonly string[];
}

/** `at` is the path of the spec. */
export const at = 'spec.template.spec';
const told = ({ type, field = '', message }: Cause): string =>
  `${type.replace('FieldValue', '')} ${field}: ${message}`.replaceAll(at, '~');

export type Tables = Readonly<Record<string, readonly Row[]>>;

/** One table for each file of rules. */
export const rowsOf = (tables: Tables): readonly (Row & { readonly file: string })[] =>
  Object.entries(tables).flatMap(([file, rows]) => rows.map((row) => ({ ...row, file })));

export function causesOf({ change, gates = [] }: Row): string[] {
  const config = clusterConfig({ developerConfiguration: { featureGates: [...gates] } });
  return vmiSpecCauses(at, vmiSpec(change), config).map(told);
}

export const domain = (change: JsonObject): JsonObject => ({ domain: change });
export const devices = (change: JsonObject): JsonObject => domain({ devices: change });
export const resources = (requests: JsonObject, limits: JsonObject = {}): JsonObject =>
  domain({ resources: { requests, limits } });
export const disk = (change: JsonObject): JsonObject => devices({ disks: [{ name: 'rootdisk', ...change }] });
export const one = (change: JsonObject): JsonObject =>
  devices({ interfaces: [{ name: 'default', masquerade: {}, ...change }] });
export const cloudInit = (data: JsonObject): JsonObject => ({
  volumes: [
    { name: 'rootdisk', containerDisk: { image: 'demo' } },
    { name: 'ci', cloudInitNoCloud: data },
  ],
});
export const volume = (change: JsonObject): JsonObject => ({ volumes: [{ name: 'rootdisk', ...change }] });
export const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
export const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
export const labelName =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
export const key = (propagationMethod: JsonObject): JsonObject => ({
  accessCredentials: [{ sshPublicKey: { source: { secret: { secretName: 'k' } }, propagationMethod } }],
});
