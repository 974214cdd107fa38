/**
 * Go structs that embed another one: the JSON is flat, but Go's decoding errors name the embedded struct in the path
 * (`Volume.spec.volumes.VolumeSource.hostPath`). The OpenAPI document does not show it.
 */

interface Embedding {
  readonly name: string;
  /** The embedded fields, or all but some. */
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

/** The embedded struct that holds `field`; undefined if the struct holds it itself. */
export function embeddedStruct(struct: string, field: string): string | undefined {
  const embedding = Object.hasOwn(EMBEDDINGS, struct) ? EMBEDDINGS[struct] : undefined;
  if (embedding === undefined) return undefined;
  const inside =
    embedding.only === undefined ? embedding.except?.includes(field) === false : embedding.only.includes(field);
  return inside ? embedding.name : undefined;
}
