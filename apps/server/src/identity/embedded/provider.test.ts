import { describe, expect, it } from 'vitest';
import { MAX_OF_ADDRESS, PendingSignIns } from './provider.ts';

describe('pending sign-ins', () => {
  it('are dropped, oldest first, when their address starts too many', () => {
    const pending = new PendingSignIns();
    const dropped = Array.from({ length: MAX_OF_ADDRESS + 2 }, (_, number) => pending.add('192.0.2.1', `${number}`));
    expect(dropped.flat()).toEqual(['0', '1']);
    expect(pending.add('192.0.2.2', 'other')).toEqual([]);
  });

  it('share one limit within an IPv6 network', () => {
    const pending = new PendingSignIns();
    const dropped = Array.from({ length: MAX_OF_ADDRESS + 1 }, (_, host) =>
      pending.add(`2001:db8::${(host + 1).toString(16)}`, `${host}`),
    );
    expect(dropped.flat()).toEqual(['0']);
    expect(pending.add('2001:db8:0:1::1', 'other')).toEqual([]);
  });

  it('are dropped with their address when there are too many addresses', () => {
    const pending = new PendingSignIns();
    for (let number = 0; number < MAX_OF_ADDRESS; number++) {
      pending.add('192.0.2.1', `${number}`);
    }
    for (let number = 0; number < 1_000; number++) {
      pending.add(`10.0.${number >> 8}.${number & 255}`, 'flood');
    }
    expect(pending.add('192.0.2.1', 'again')).toEqual([]);
  });
});
