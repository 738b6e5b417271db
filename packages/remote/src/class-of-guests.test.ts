import { VirtualClock } from '@wirebench/clock';
import { expect, it } from 'vitest';
import { RemoteRig } from './testing/remote-rig.ts';

const seats = 30;
const ports = [1, 2, 3, 4] as const;

it('thirty guests watch four lanes, each has every byte, and the host seals once for all of them', async () => {
  const clock = new VirtualClock();
  const rig = new RemoteRig({ clock, delay: () => 20 });
  for (const port of ports) {
    rig.share({ name: `Board ${port}` }, port);
  }
  const guests = Array.from({ length: seats }, (_, seat) => rig.join(`Guest ${seat}`));
  await rig.until('all are here', () => guests.every(({ guest }) => guest.status.ports.length === ports.length));
  await clock.advance(2_000);
  const before = rig.relay.seen.length;
  const seconds = 2;
  // 115,200 baud on each lane, in reads of 10 ms.
  const read = (port: number, at: number) =>
    Uint8Array.from({ length: 115 }, (_, index) => (port * 50 + at + index) % 256);
  for (let at = 0; at < seconds * 100; at++) {
    for (const port of ports) {
      rig.host.tapped(port, 'received', read(port, at), clock.now());
    }
    await clock.advance(10);
  }
  await clock.advance(500);
  for (const { lane, missing } of guests) {
    expect(missing).toEqual([]);
    for (const port of ports) {
      const expected = Array.from({ length: seconds * 100 }, (_, at) => [...read(port, at)]).flat();
      expect(Buffer.from(lane(port, 'received')).equals(Buffer.from(expected))).toBe(true);
    }
  }
  // One frame in 20 ms, plus the other messages between guests and host.
  expect(rig.relay.seen.length - before).toBeLessThan(seconds * 50 + seats * 8);
  const [{ guest } = rig.join()] = guests;
  expect(guest.status.guests).toBe(seats);
  expect(guest.status.people.filter(({ isYou }) => isYou)).toHaveLength(1);
  rig.host.stop();
  await clock.advance(1_000);
  expect(clock.pending).toBe(0);
});

it('a guest beyond the list limit is listed for itself, and those with more rights come first', async () => {
  const clock = new VirtualClock();
  const rig = new RemoteRig({ clock });
  rig.share();
  const guests = Array.from({ length: 40 }, (_, seat) => rig.join(`Guest ${seat}`));
  await rig.until('all are here', () => guests.every(({ guest }) => guest.status.state === 'joined'));
  rig.host.setRight(rig.idOf('Guest 37'), 1, 'type');
  await clock.advance(2_000);
  const last = guests.at(-1)?.guest.status;
  expect(last?.guests).toBe(40);
  expect(last?.people).toHaveLength(32);
  expect(last?.people[0]).toEqual({ name: 'Guest 37', isYou: false, rights: [{ port: 1, right: 'type' }] });
  expect(last?.people.at(-1)).toMatchObject({ name: 'Guest 39', isYou: true });
  expect(guests[37]?.guest.status.people[0]).toMatchObject({ name: 'Guest 37', isYou: true });
  rig.host.stop();
});

it('a guest beyond the limit learns that the bench is full, and joins after another leaves', async () => {
  const clock = new VirtualClock(1_000_000);
  const rig = new RemoteRig({ clock, limits: { guests: 1 } });
  rig.share();
  const { guest } = await rig.joined('Grace');
  const late = rig.join('Heidi');
  await clock.advance(2_000);
  expect(late.guest.status).toMatchObject({ state: 'ended', why: 'too-many' });
  expect(rig.host.status.guests.map(({ name }) => name)).toEqual(['Grace']);
  guest.leave();
  await clock.advance(1_000);
  await rig.joined('Heidi');
});
