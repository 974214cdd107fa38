/** The filter for URLs of images, from the configuration. */
import type { Config } from '@ssvirt/base/config/keys';
import { UrlFilter } from '@ssvirt/base/net/url-filter';

export function imageFilter(images: Config['images']): UrlFilter {
  return new UrlFilter(images, { hosts: 'images.allowedHosts', cidrs: 'images.allowedCidrs' });
}
