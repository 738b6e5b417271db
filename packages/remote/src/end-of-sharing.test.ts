/** Tests the end of sharing by itself, and the guest that each call names to the host's bench. */
import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { RemoteRig } from './testing/remote-rig.ts';

const hour = 3_600_000;
const minute = 60_000;

function shared() {
  const clock = new VirtualClock(1_000_000);
  const device = new FakeSerialPort();
  const rig = new RemoteRig({ clock, device: () => device, delay: () => 20 });
  rig.share();
  return { clock, device, rig };
}

describe('sharing', () => {
  it('ends after eight hours', async () => {
    const { rig, clock } = shared();
    await rig.joined();
    await clock.advance(8 * hour);
    expect(rig.host.status).toMatchObject({ state: 'ended', why: 'expired' });
  });

  it('ends when the last guest has been gone for half an hour', async () => {
    const { rig, clock } = shared();
    const { guest } = await rig.joined();
    guest.leave();
    await clock.advance(29 * minute);
    expect(rig.host.status.state).toBe('sharing');
    await clock.advance(2 * minute);
    expect(rig.host.status).toMatchObject({ state: 'ended', why: 'empty' });
    expect(clock.pending).toBe(0);
  });

  it('ends when the host stops it, and the guests learn the time', async () => {
    const { rig, clock } = shared();
    const began = clock.now();
    const { guest } = await rig.joined();
    rig.host.endAfter(hour);
    expect(rig.host.status.endsAt).toBe(began + hour);
    await clock.advance(1_000);
    expect(Math.abs((guest.status.endsAt ?? 0) - (began + hour))).toBeLessThanOrEqual(50);
    rig.host.endAfter(4 * hour);
    await clock.advance(hour);
    expect(rig.host.status.state).toBe('sharing');
    await clock.advance(3 * hour);
    expect(rig.host.status).toMatchObject({ state: 'ended', why: 'expired' });
    rig.host.endAfter(8 * hour);
    expect(clock.pending).toBe(0);
  });

  it('lasts eight hours at most, even if more is requested', async () => {
    const { rig, clock } = shared();
    const began = clock.now();
    rig.host.endAfter(1_000 * hour);
    expect(rig.host.status.endsAt).toBe(began + 8 * hour);
  });
});

describe('the bench of the host', () => {
  it('receives the names of guests that type or use a port, and the time each joined', async () => {
    const { rig, clock } = shared();
    const joinedAt = clock.now();
    const { guest, port } = await rig.using('Grace');
    await rig.run(guest.type(1, Uint8Array.of(65)));
    await rig.run(port.open({ baudRate: 115_200 }));
    const id = rig.idOf('Grace');
    expect(rig.named).toEqual([
      { id, name: 'Grace' },
      { id, name: 'Grace' },
    ]);
    await clock.advance(minute);
    rig.relay.cutGuests();
    await clock.advance(2_000);
    const since = rig.host.status.guests[0]?.since ?? 0;
    expect(since).toBeGreaterThanOrEqual(joinedAt);
    expect(since).toBeLessThan(joinedAt + 5_000);
  });

  it('receives whether a port comes back from its guest or was unplugged', async () => {
    const { rig, clock, device } = shared();
    const { port } = await rig.using('Grace');
    await rig.run(port.open({ baudRate: 115_200 }));
    device.unplug();
    await clock.advance(3_000);
    expect(rig.calls).toEqual(['acquire 1', 'release 1 lost']);
  });
});
