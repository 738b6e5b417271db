/**
 * Tests typing of a guest around the loss of a connection. The board receives the bytes once, or the guest is
 * informed of the failure.
 */
import { VirtualClock } from '@wirebench/clock';
import { expect, it } from 'vitest';
import { RemoteRig } from './testing/remote-rig.ts';

const text = (value: string) => new TextEncoder().encode(value);

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Error || error instanceof DOMException ? error.message : String(error)),
  );

async function typing() {
  const clock = new VirtualClock(1_000_000);
  const rig = new RemoteRig({ clock, delay: () => 20 });
  rig.share();
  const { guest } = await rig.joined();
  rig.host.setRight(rig.idOf('Grace'), 1, 'type');
  await rig.until('told', () => guest.status.ports[0]?.right === 'type');
  return { clock, rig, guest };
}

it('text typed during a lost connection arrives once after the reconnect', async () => {
  const { clock, rig, guest } = await typing();
  rig.relay.isDown = true;
  rig.relay.cutGuests();
  const early = outcome(guest.type(1, text('help')));
  await rig.until('away', () => guest.status.state === 'away');
  const late = outcome(guest.type(1, text('info')));
  await clock.advance(10_000);
  expect(rig.calls).toEqual([]);
  rig.relay.isDown = false;
  expect(await rig.run(Promise.all([early, late]))).toEqual(['done', 'done']);
  expect(rig.calls).toEqual(['type 1 help', 'type 1 info']);
});

it('text is discarded when the right was taken during the loss, and its guest gets the reason', async () => {
  const { clock, rig, guest } = await typing();
  rig.relay.isDown = true;
  rig.relay.cutGuests();
  const typed = outcome(guest.type(1, text('help')));
  await clock.advance(5_000);
  rig.host.setRight(rig.idOf('Grace'), 1, 'watch');
  rig.relay.isDown = false;
  expect(await rig.run(typed)).toBe('The person who shares the bench has not allowed you to type.');
  expect(rig.calls).toEqual([]);
});

it('text fails when the connection does not come back in time', async () => {
  const { clock, rig, guest } = await typing();
  rig.relay.isDown = true;
  rig.relay.cutGuests();
  const typed = outcome(guest.type(1, text('help')));
  await clock.advance(rig.limits.away + 1_000);
  expect(await typed).toBe('The shared port did not take what you typed.');
  rig.relay.isDown = false;
  await rig.until('back', () => guest.status.state === 'joined');
  await clock.advance(5_000);
  expect(rig.calls).toEqual([]);
});
