/** The sources of disk contents. */
import type { Schema } from '../../objects/schema/schema.ts';
import { localReference } from './kubernetes-fields.ts';
import { fields, flag, int32, list, presence, quantity, text, type Properties } from './schema.ts';

const atomic = { 'x-kubernetes-map-type': 'atomic' } as const;
const hotpluggable = flag('It can be plugged into and unplugged from a running guest.');
const volumeLabel = text('The label of the disk that the guest sees.');

export const claim: Properties = {
  claimName: text('The name of the PersistentVolumeClaim.'),
  readOnly: flag('Nothing is written to it.'),
};

const cloudInit = (description: string): Schema =>
  fields(description, {
    userData: text('User data in plain text: 2048 bytes at most.'),
    userDataBase64: text('User data in base64: 2048 bytes at most.'),
    secretRef: localReference('The Secret that holds user data under the key userdata.'),
    networkData: text('Network data in plain text: 2048 bytes at most.'),
    networkDataBase64: text('Network data in base64: 2048 bytes at most.'),
    networkDataSecretRef: localReference('The Secret that holds network data under the key networkdata.'),
  });

const downwardField = (): Schema =>
  fields(
    'One file.',
    {
      path: text('The name of the file.'),
      mode: int32('Its permissions.'),
      fieldRef: fields(
        'A field of the pod.',
        { apiVersion: text('The version that the path is written for.'), fieldPath: text('The path of the field.') },
        { required: ['fieldPath'], ...atomic },
      ),
      resourceFieldRef: fields(
        'A resource of a container.',
        {
          containerName: text('The container.'),
          divisor: quantity('The unit in which it is written.'),
          resource: text('The resource, such as limits.cpu.'),
        },
        { required: ['resource'], ...atomic },
      ),
    },
    { required: ['path'] },
  );

export const dataVolumeReference = (): Schema =>
  fields(
    'The claim of a DataVolume, once it is filled.',
    { name: text('The name of the DataVolume.'), hotpluggable },
    { required: ['name'] },
  );

export const claimReference = (): Schema =>
  fields('A PersistentVolumeClaim.', { ...claim, hotpluggable }, { required: ['claimName'] });

export const volume = (): Schema =>
  fields(
    'A volume. It has exactly one source.',
    {
      name: text('The name; disks and file systems refer to it.'),
      dataVolume: dataVolumeReference(),
      persistentVolumeClaim: claimReference(),
      containerDisk: fields(
        'A disk image in a container image. Changes are lost when the guest stops.',
        {
          image: text('The container image.'),
          path: text('The path of the disk in the image. Default: the first file in /disk.'),
          imagePullPolicy: text('Always, IfNotPresent or Never.'),
          imagePullSecret: text('The Secret to pull it with.'),
        },
        { required: ['image'] },
      ),
      cloudInitNoCloud: cloudInit('Cloud-init, as a NoCloud disk.'),
      cloudInitConfigDrive: cloudInit('Cloud-init, as a config drive.'),
      sysprep: fields("Windows' answer file, as a CD-ROM.", {
        configMap: localReference('The ConfigMap that holds it.'),
        secret: localReference('The Secret that holds it.'),
      }),
      emptyDisk: fields(
        'An empty disk that lives as long as the instance.',
        { capacity: quantity('Its size.') },
        { required: ['capacity'] },
      ),
      ephemeral: fields('A claim that is only read: changes are lost when the guest stops.', {
        persistentVolumeClaim: fields('The claim.', claim, { required: ['claimName'] }),
      }),
      hostDisk: fields(
        'A file on the node.',
        {
          path: text('Its path.'),
          type: text('Disk: it must exist; DiskOrCreate: it is created if it is missing.'),
          capacity: quantity('Its size, if it is created.'),
          shared: flag('Several guests use it.'),
        },
        { required: ['path', 'type'] },
      ),
      configMap: fields(
        'A ConfigMap as a disk of files.',
        { name: text('Its name.', { default: '' }), optional: flag('It may be missing.'), volumeLabel },
        atomic,
      ),
      secret: fields('A Secret as a disk of files.', {
        secretName: text('Its name.'),
        optional: flag('It may be missing.'),
        volumeLabel,
      }),
      serviceAccount: fields("A ServiceAccount's token as a disk.", { serviceAccountName: text('Its name.') }),
      downwardAPI: fields('Fields of the pod as a disk of files.', {
        fields: list('The files.', downwardField()),
        volumeLabel,
      }),
      downwardMetrics: presence('Metrics of the host as a disk.'),
      containerPath: fields(
        "A folder of the launcher's container.",
        {
          path: text('Its path.', {
            maxLength: 4096,
            'x-kubernetes-validations': [
              { rule: "self.startsWith('/')", message: "path must be absolute (start with '/')" },
              { rule: "!self.contains('..')", message: "path must not contain '..'" },
            ],
          }),
          readOnly: flag('It can only be read.', {
            default: true,
            'x-kubernetes-validations': [
              { rule: 'self == true', message: 'readOnly must be true, write access is not supported' },
            ],
          }),
        },
        { required: ['path'] },
      ),
      memoryDump: fields('The target of memory dumps.', { ...claim, hotpluggable }, { required: ['claimName'] }),
    },
    { required: ['name'] },
  );
