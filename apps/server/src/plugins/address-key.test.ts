import { describe, expect, it } from 'vitest';
import { addressKey } from './address-key.ts';

describe('address key', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:0207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8::/64'],
    ['2001:db8:0:1::', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
    ['::192.0.2.7', '::/64'],
    ['2001:db8::192.0.2.7', '2001:db8::/64'],
  ])('maps %s to %s', (ip, key) => {
    expect(addressKey(ip)).toBe(key);
  });

  it('is equal for all addresses of a /64, and differs for the next', () => {
    const keys = Array.from({ length: 1_000 }, (_, host) => addressKey(`2001:db8:0:7:${host.toString(16)}::1`));
    expect(new Set(keys)).toEqual(new Set(['2001:db8:0:7::/64']));
    expect(addressKey('2001:db8:0:8::1')).toBe('2001:db8:0:8::/64');
  });

  it.each(['', 'localhost', '300.1.1.1', '192.0.2.7:80', '[::1]', 'x'.repeat(10_000)])(
    'is the same for every invalid address: %#',
    (text) => {
      expect(addressKey(text)).toBe('unknown');
    },
  );
});
