/** For tests of something else: images are from anywhere, and no name is looked up. */
import { UrlFilter } from '@ssvirt/base/net/url-filter';

export const anyImage = new UrlFilter(
  { allowedHosts: ['*'], allowedCidrs: [] },
  { hosts: 'images.allowedHosts', cidrs: 'images.allowedCidrs' },
);
