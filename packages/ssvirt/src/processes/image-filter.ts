/** The filter for URLs of images, from the configuration. */
import type { Config } from '@ssvirt/base/config/keys';
import { publicNetworks } from '@ssvirt/base/net/reserved-addresses';
import { UrlFilter } from '@ssvirt/base/net/url-filter';
import type { IpBlock } from '../kubevirt/vdc/description.ts';

/** What importers in the clusters may reach; undefined if they are not restricted. */
export function importNetworks({ restrictImporters, allowedCidrs }: Config['images']): readonly IpBlock[] | undefined {
  return restrictImporters ? [...publicNetworks, ...allowedCidrs.map((cidr) => ({ cidr }))] : undefined;
}

export function imageFilter(images: Pick<Config['images'], 'allowedHosts' | 'allowedCidrs'>): UrlFilter {
  return new UrlFilter(images, { hosts: 'images.allowedHosts', cidrs: 'images.allowedCidrs' });
}
