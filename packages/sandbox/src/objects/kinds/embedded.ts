/**
 * Go structs that embed another struct: the JSON is flat, but Go's decoding errors contain the embedded struct in the
 * path (`Volume.spec.volumes.VolumeSource.hostPath`). The OpenAPI document does not show embedding.
 */

interface Embedding {
  readonly name: string;
  /** The embedded fields; `except` lists those that are not embedded. */
  readonly only?: readonly string[];
  readonly except?: readonly string[];
}

const reference: Embedding = { name: 'LocalObjectReference', only: ['name'] };

const EMBEDDINGS: { readonly [struct: string]: Embedding } = {
  Volume: { name: 'VolumeSource', except: ['name'] },
  Probe: { name: 'ProbeHandler', only: ['exec', 'httpGet', 'tcpSocket', 'grpc'] },
  EphemeralContainer: { name: 'EphemeralContainerCommon', except: ['targetContainerName'] },
  PersistentVolumeSpec: {
    name: 'PersistentVolumeSource',
    except: [
      'capacity',
      'accessModes',
      'claimRef',
      'persistentVolumeReclaimPolicy',
      'storageClassName',
      'mountOptions',
      'volumeMode',
      'nodeAffinity',
      'volumeAttributesClassName',
    ],
  },
  RuleWithOperations: { name: 'Rule', except: ['operations'] },
  ConfigMapEnvSource: reference,
  ConfigMapKeySelector: reference,
  ConfigMapProjection: reference,
  ConfigMapVolumeSource: reference,
  SecretEnvSource: reference,
  SecretKeySelector: reference,
  SecretProjection: reference,
};

/** `embeddedStruct` returns the embedded struct that contains `field`; undefined if the struct contains it directly. */
export function embeddedStruct(struct: string, field: string): string | undefined {
  const embedding = Object.hasOwn(EMBEDDINGS, struct) ? EMBEDDINGS[struct] : undefined;
  if (embedding === undefined) return undefined;
  const inside =
    embedding.only === undefined ? embedding.except?.includes(field) === false : embedding.only.includes(field);
  return inside ? embedding.name : undefined;
}
