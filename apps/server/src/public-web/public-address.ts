/**
 * Decides which addresses the server may ask in a user's name. Only addresses of the public internet: anything else
 * could be a service of the operator's network that trusts this server.
 */
import { BlockList, isIP } from 'node:net';

/** Special-purpose addresses of IPv4 (IANA registry, RFC 6890 and successors), multicast and reserved ones. */
const specialIpv4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]);

/** The part of IPv6 that is assigned to the public internet (RFC 4291, section 2.4). */
const globalIpv6 = blockList('ipv6', [['2000::', 3]]);

/** Special-purpose addresses within it: protocol assignments with Teredo, documentation, 6to4. */
const specialIpv6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]);

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of subnets) {
    list.addSubnet(address, bits, family);
  }
  return list;
}

/** Returns false for text that is no IP address. IPv6 forms that contain an IPv4 address are never public. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialIpv4.check(address, 'ipv4');
    case 6:
      return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
    default:
      return false;
  }
}
