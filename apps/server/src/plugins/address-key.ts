/**
 * The key under which calls of an address are counted. Internet providers assign a whole /64 of IPv6 to each customer
 * (RFC 6177 section 2), so a single IPv6 address identifies no client.
 */
import { isIPv4, isIPv6 } from 'node:net';

/** Common key for everything that is not an address. */
const NO_ADDRESS = 'unknown';

/**
 * Returns an IPv4 address unchanged, also one mapped into IPv6 (`::ffff:192.0.2.1`). Returns an IPv6 address as its
 * /64 prefix in RFC 5952 form: `2001:db8::/64`. A zone (`%eth0`) is ignored.
 */
export function addressKey(ip: string): string {
  if (isIPv4(ip)) {
    return ip;
  }
  if (!isIPv6(ip)) {
    return NO_ADDRESS;
  }
  const groups = groupsOf(ip);
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  }
  const prefix = groups.slice(0, 4).map((group) => group.toString(16));
  return `${canonical(`${prefix.join(':')}::`)}/64`;
}

/** Returns the eight groups of an IPv6 address. */
function groupsOf(ip: string): readonly number[] {
  const [head = '', tail] = canonical(ip.replace(/%.*$/, '')).split('::');
  const before = numbersOf(head);
  if (tail === undefined) {
    return before;
  }
  const after = numbersOf(tail);
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function numbersOf(groups: string): readonly number[] {
  return groups === '' ? [] : groups.split(':').map((group) => Number.parseInt(group, 16));
}

/** Returns the form of RFC 5952 that URLs use, without IPv4's dots. */
function canonical(ip: string): string {
  return new URL(`http://[${ip}]`).hostname.slice(1, -1);
}
