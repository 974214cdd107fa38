/** The message of a pod that cannot fill a disk. */
import type { Origin } from './origin.ts';

export function failureText(origin: Origin): string {
  if (origin.kind === 'clone') return 'Unable to clone: error reading from the source: connection reset by peer';
  if (origin.kind !== 'import') return 'Unable to process data';
  switch (origin.source) {
    case 'registry':
      return `Unable to process data: Unable to transfer source data to scratch space: Failed to read registry image: Error getting image source ${origin.endpoint}: manifest unknown`;
    case 's3':
      return 'Unable to connect to s3 data source: could not get s3 object: NoSuchKey: The specified key does not exist.';
    case 'gcs':
      return "Unable to connect to gcs data source: storage: object doesn't exist";
    case 'none':
      return 'Unable to create blank image: no space left on device';
    default:
      return `Unable to connect to ${origin.source} data source: expected status code 200, got 404. Status: 404 Not Found`;
  }
}
