/** Tests the time from which a guest counts as away on the host's page. */
import { VirtualClock } from '@wirebench/clock';
import { expect, it } from 'vitest';
import { RemoteRig, type RemoteRigOptions } from './testing/remote-rig.ts';

function shared(options: Partial<RemoteRigOptions> = {}) {
  const clock = new VirtualClock(1_000_000);
  const rig = new RemoteRig({ clock, delay: () => 20, ...options });
  rig.share();
  return { clock, rig };
}

const presence = (rig: RemoteRig) =>
  rig.host.status.guests.map(({ name, isConnected, awaySince }) => ({ name, isConnected, awaySince }));

it('a guest whose connection is lost is away since then, until it is back', async () => {
  const { clock, rig } = shared();
  await rig.using();
  expect(presence(rig)).toEqual([{ name: 'Grace', isConnected: true, awaySince: null }]);
  rig.relay.isDown = true;
  rig.relay.cutGuests();
  await rig.until('lost', () => rig.host.status.guests[0]?.isConnected === false);
  const lostAt = clock.now();
  await clock.advance(30_000);
  expect(presence(rig)).toEqual([{ name: 'Grace', isConnected: false, awaySince: lostAt }]);
  rig.relay.isDown = false;
  await rig.until('back', () => rig.host.status.guests[0]?.isConnected === true);
  expect(presence(rig)).toEqual([{ name: 'Grace', isConnected: true, awaySince: null }]);
});

it('a connection that is back at once was never away', async () => {
  const { clock, rig } = shared();
  await rig.joined();
  const reported: (number | null | undefined)[] = [];
  rig.relay.cutGuests();
  for (let turn = 0; turn < 400; turn++) {
    await clock.advance(5);
    reported.push(rig.host.status.guests[0]?.awaySince);
  }
  expect(rig.host.status.guests[0]?.isConnected).toBe(true);
  expect(new Set(reported)).toEqual(new Set([null]));
});

it('a guest that has gone silent behind an open connection is distinguished from one whose connection is lost', async () => {
  let isSilent = false;
  const { clock, rig } = shared({ tamper: (message, way) => (isSilent && way === 'to host' ? [] : [{ message }]) });
  await rig.joined();
  await clock.advance(20_000);
  expect(presence(rig)).toEqual([{ name: 'Grace', isConnected: true, awaySince: null }]);
  isSilent = true;
  const before = clock.now();
  // A frame to the guest does not count: the guest itself must send something.
  await rig.until('silent', () => (rig.host.status.guests[0]?.awaySince ?? null) !== null);
  const [guest] = presence(rig);
  expect(clock.now() - before).toBeLessThanOrEqual(rig.limits.silence);
  expect(guest?.awaySince).toBeLessThanOrEqual(before);
  expect(guest?.awaySince).toBeGreaterThan(before - rig.limits.ping - 100);
  isSilent = false;
  await rig.until('heard', () => rig.host.status.guests[0]?.awaySince === null);
});

it('guests are not said to be away when it was the connection of the host that was lost', async () => {
  const { clock, rig } = shared();
  await rig.joined();
  const reported = new Set<number | null | undefined>();
  rig.relay.isDown = true;
  rig.relay.cutHost();
  await rig.until('lost', () => rig.host.status.state === 'away');
  const lostAt = clock.now();
  for (let turn = 0; turn < 2_000; turn++) {
    reported.add(rig.host.status.guests[0]?.awaySince);
    await clock.advance(10);
  }
  expect(rig.host.status).toMatchObject({ state: 'away', awaySince: lostAt });
  rig.relay.isDown = false;
  await rig.until('the host is back', () => rig.host.status.state === 'sharing');
  for (let turn = 0; turn < 2_000; turn++) {
    reported.add(rig.host.status.guests[0]?.awaySince);
    await clock.advance(5);
  }
  expect(rig.host.status).toMatchObject({ state: 'sharing', awaySince: null });
  expect(reported).toEqual(new Set([null]));
});

it('a guest that does not come back with the host is away since the host lost it', async () => {
  const { clock, rig } = shared();
  await rig.joined();
  rig.relay.isDown = true;
  rig.relay.cutHost();
  await rig.until('lost', () => rig.host.status.guests[0]?.isConnected === false);
  const lostAt = clock.now();
  await clock.advance(5_000);
  rig.relay.cutGuests();
  rig.relay.isDown = false;
  await rig.until('the host is back', () => rig.host.status.state === 'sharing');
  rig.relay.isDown = true;
  rig.relay.cutGuests();
  await rig.until('away', () => (rig.host.status.guests[0]?.awaySince ?? null) !== null);
  expect(presence(rig)).toEqual([{ name: 'Grace', isConnected: false, awaySince: lostAt }]);
});

it('leaves no timer behind', async () => {
  const { clock, rig } = shared();
  await rig.joined();
  rig.host.stop();
  await clock.advance(5_000);
  expect(clock.pending).toBe(0);
});
