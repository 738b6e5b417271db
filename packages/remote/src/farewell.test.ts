import { VirtualClock } from '@wirebench/clock';
import { expect, it } from 'vitest';
import { RemoteGuest } from './guest/remote-guest.ts';
import { RemoteHost } from './host/remote-host.ts';
import type { SealingCrypto } from './sealing/sealing-crypto.ts';
import { makeSecret } from './sealing/secret.ts';
import { nodeCrypto } from './testing/node-crypto.ts';
import { TestRelay } from './testing/test-relay.ts';

/** Opens frames with a delay, as browsers do in a thread of their own. */
function slow(clock: VirtualClock, crypto: SealingCrypto): SealingCrypto {
  return {
    ...crypto,
    cipher: async (key) => {
      const cipher = await crypto.cipher(key);
      return {
        ...cipher,
        open: async (...args) => {
          await clock.sleep(5);
          return cipher.open(...args);
        },
      };
    },
  };
}

it('a guest that leaves is gone at once, also when its last frame is still being opened as its connection ends', async () => {
  const clock = new VirtualClock();
  const relay = new TestRelay({ clock });
  const secret = makeSecret(nodeCrypto(1));
  const host = new RemoteHost({
    clock,
    dial: relay.dialHost,
    secret,
    name: 'Ada',
    onChange: () => undefined,
    crypto: slow(clock, nodeCrypto(2)),
    bench: {
      acquire: () => Promise.reject(new Error('Nobody asks.')),
      release: () => undefined,
      type: () => Promise.reject(new Error('Nobody asks.')),
      passed: () => undefined,
    },
  });
  await clock.advance(100);
  const guest = new RemoteGuest({
    clock,
    dial: relay.dialGuest,
    secret,
    name: 'Grace',
    onChange: () => undefined,
    onPiece: () => undefined,
    onMissing: () => undefined,
    crypto: nodeCrypto(3),
  });
  await clock.advance(2_000);
  expect(guest.status.state).toBe('joined');
  expect(host.status.guests).toHaveLength(1);
  guest.leave();
  await clock.advance(100);
  expect(host.status.guests).toHaveLength(0);
  host.stop();
});
