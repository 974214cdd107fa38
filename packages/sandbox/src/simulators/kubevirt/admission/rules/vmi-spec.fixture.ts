/** A VMI's spec that passes all rules, and the same spec with a merge patch, which is how the recorded cases differ. */
import { cloneJson, type JsonObject } from '../../../../values/json.ts';
import { applyMergePatch } from '../../../../objects/patch/merge-patch.ts';

const fine: JsonObject = {
  architecture: 'amd64',
  domain: {
    devices: {
      disks: [{ name: 'rootdisk', disk: { bus: 'virtio' } }],
      interfaces: [{ name: 'default', masquerade: {} }],
    },
    memory: { guest: '256Mi' },
  },
  networks: [{ name: 'default', pod: {} }],
  volumes: [{ name: 'rootdisk', containerDisk: { image: 'demo' } }],
};

export const vmiSpec = (change: JsonObject = {}): JsonObject => applyMergePatch(cloneJson(fine), change);
