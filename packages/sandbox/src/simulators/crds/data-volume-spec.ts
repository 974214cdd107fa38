/** The spec of a DataVolume: as an object of its own, and in a VirtualMachine's dataVolumeTemplates. */
import type { Schema } from '../../objects/schema/schema.ts';
import { claimDataSources, labelSelector, storageResources } from './kubernetes-fields.ts';
import { atomicTexts, fields, flag, list, presence, text, texts, word, type Properties } from './schema.ts';

const url = text('The address.');
const certConfigMap = text('The ConfigMap that holds the certificates to trust.');
const secretRef = text('The Secret that holds accessKeyId and secretKey.');
const insecureSkipVerify = flag('The certificate is not checked. Not for production.');

const named = (description: string): Schema =>
  fields(
    description,
    { name: text('Its name.'), namespace: text('Its namespace.') },
    { required: ['name', 'namespace'] },
  );

/** The definition of VirtualMachine still has the fields of an older CDI. */
type Vintage = 'current' | 'in-virtual-machine';

const since = (vintage: Vintage, properties: Properties): Properties => (vintage === 'current' ? properties : {});

const source = (vintage: Vintage): Schema =>
  fields('The source: exactly one of these.', {
    blank: presence('Nothing: an empty disk.'),
    http: fields(
      'An image from a web server: qcow2, raw, vmdk …, also compressed.',
      {
        url,
        certConfigMap,
        secretRef,
        extraHeaders: texts('Headers to send, each as NAME: VALUE.'),
        secretExtraHeaders: texts('Secrets that hold headers to send.'),
        ...since(vintage, {
          checksum: text('The checksum of the image, as ALGORITHM:HEX.'),
          insecureSkipVerify,
        }),
      },
      { required: ['url'] },
    ),
    registry: fields('A container image with a disk in /disk, as containerDisks have.', {
      url: text('The image, as docker://HOST/NAME:TAG or oci-archive://PATH.'),
      imageStream: text('An ImageStream of OpenShift.'),
      pullMethod: text('Who pulls it: pod (the default) or node.'),
      platform: fields('The variant of the image.', { architecture: text('Such as amd64 or arm64.') }),
      certConfigMap,
      secretRef,
    }),
    s3: fields('An object in S3.', { url, certConfigMap, secretRef }, { required: ['url'] }),
    gcs: fields('An object in Google Cloud Storage.', { url, secretRef }, { required: ['url'] }),
    pvc: named('A copy of another PersistentVolumeClaim.'),
    snapshot: named('A copy of a VolumeSnapshot.'),
    upload: presence('Filled by an upload.'),
    imageio: fields(
      'A disk of oVirt.',
      {
        url,
        diskId: text('The disk.'),
        certConfigMap,
        secretRef,
        insecureSkipVerify,
      },
      { required: ['diskId', 'url'] },
    ),
    vddk: fields('A disk of VMware.', {
      url: text('The vCenter or ESXi.'),
      uuid: text('The VM.'),
      backingFile: text('The disk.'),
      thumbprint: text("The fingerprint of the server's certificate."),
      secretRef,
      initImageURL: text('The image that holds the VDDK.'),
      extraArgs: text('The ConfigMap that holds further arguments.'),
      ...since(vintage, { certConfigMap }),
    }),
  });

const claimFields: Properties = {
  ...claimDataSources(),
  resources: storageResources(),
  selector: labelSelector('Which volumes may be bound.'),
  storageClassName: text('The StorageClass. Default: the default class of the cluster.'),
  volumeMode: text('Filesystem or Block.'),
  volumeName: text('The volume to bind.'),
};

export const dataVolumeSpec = (description: string, vintage: Vintage = 'current'): Schema =>
  fields(description, {
    source: source(vintage),
    sourceRef: fields(
      'A reference to the source, such as the latest image of an operating system.',
      {
        kind: text('DataSource.'),
        name: text('Its name.'),
        namespace: text('Its namespace. Default: the same namespace.'),
      },
      { required: ['kind', 'name'] },
    ),
    storage: fields(
      "The claim, as the StorageProfile of its class completes it: access modes, volume mode and the file system's own share.",
      { ...claimFields, accessModes: texts('ReadWriteOnce, ReadWriteMany, ReadOnlyMany.') },
    ),
    pvc: fields('The claim, exactly as given here.', {
      ...claimFields,
      accessModes: atomicTexts('ReadWriteOnce, ReadWriteMany, ReadOnlyMany.'),
      volumeAttributesClassName: text('The VolumeAttributesClass.'),
    }),
    contentType: word('A disk image, or a tar archive of files.', ['kubevirt', 'archive']),
    preallocation: flag('All of the storage is taken at once.'),
    priorityClassName: text('The priority class of the pods that fill it.'),
    checkpoints: list(
      'The steps of a multi-stage import.',
      fields(
        'One step.',
        { previous: text('The snapshot that it starts from.'), current: text('The snapshot that it ends with.') },
        { required: ['current', 'previous'] },
      ),
    ),
    finalCheckpoint: flag('The last checkpoint completes the import.'),
    ...since(vintage, { serviceAccountName: text('The ServiceAccount of the pods that fill it.') }),
  });
