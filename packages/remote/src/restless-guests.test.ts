/**
 * Tests guests that act without pause. Their actions must cost the host and other guests almost nothing, and leave no
 * state behind.
 */
import { VirtualClock } from '@wirebench/clock';
import { expect, it } from 'vitest';
import { RemoteRig } from './testing/remote-rig.ts';

const text = (value: string) => new TextEncoder().encode(value);
const read = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function shared() {
  const clock = new VirtualClock(1_000_000);
  const rig = new RemoteRig({ clock, delay: () => 20 });
  rig.share();
  return { clock, rig };
}

it('a guest that asks a thousand times a second is shown once, unseen by other guests', async () => {
  const { clock, rig } = shared();
  const { guest } = await rig.joined('Eve');
  await rig.joined('Bob');
  await clock.advance(2_000);
  const before = rig.relay.seen.length;
  let changes = 0;
  const asked = () => rig.host.status.guests[0]?.ports[0]?.asked;
  let was = asked();
  for (let turn = 0; turn < 1_000; turn++) {
    guest.ask(1, turn % 2 === 0 ? 'type' : 'use');
    await clock.advance(1);
    if (asked() !== was) {
      was = asked();
      changes++;
    }
  }
  await clock.advance(1_000);
  expect(asked()).toBe('use');
  // One change for the right to type, one for the right to use: a request is raised and never lowered.
  expect(changes).toBe(2);
  // The guest's own requests are 1,000 of the messages.
  expect(rig.relay.seen.length - before - 1_000).toBeLessThan(150);
});

it('a guest that asks again after every refusal is shown again only after a while', async () => {
  const { clock, rig } = shared();
  const { guest } = await rig.joined('Eve');
  const id = rig.idOf('Eve');
  const asked = () => rig.host.status.guests[0]?.ports[0]?.asked ?? null;
  let shown = 0;
  for (let turn = 0; turn < 3_000; turn++) {
    guest.ask(1, 'type');
    await clock.advance(10);
    if (asked() !== null) {
      shown++;
      rig.host.refuse(id, 1);
    }
  }
  expect(shown).toBeGreaterThanOrEqual(30_000 / rig.limits.askAgain);
  expect(shown).toBeLessThanOrEqual(30_000 / rig.limits.askAgain + 1);
  // The guest sees its own request, and the host sees it in the end.
  await clock.advance(200);
  expect(guest.status.ports[0]?.asked).toBe('type');
  await clock.advance(rig.limits.askAgain);
  expect(asked()).toBe('type');
  rig.host.setRight(id, 1, 'type');
  expect(asked()).toBeNull();
  rig.host.stop();
  await clock.advance(rig.limits.askAgain);
  expect(clock.pending).toBe(0);
});

it('a guest that comes and goes two hundred times a minute leaves nothing behind', async () => {
  const { clock, rig } = shared();
  const bob = await rig.joined('Bob');
  let said = '';
  for (let turn = 0; turn < 200; turn++) {
    const { guest } = await rig.joined('Eve');
    said += `${turn}\n`;
    rig.host.tapped(1, 'received', text(`${turn}\n`), clock.now());
    guest.leave();
    await clock.advance(200);
  }
  await clock.advance(1_000);
  expect(rig.host.status.guests.map(({ name }) => name)).toEqual(['Bob']);
  expect(bob.guest.status.guests).toBe(1);
  expect(read(bob.lane(1, 'received'))).toBe(said);
  expect(rig.relay.guestNumbers).toHaveLength(1);
  rig.host.stop();
  await clock.advance(5_000);
  expect(clock.pending).toBe(0);
});
