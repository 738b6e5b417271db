/** Tests a shared bench between two computers whose clocks differ by hours. */
import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { clockAhead } from './testing/clock-ahead.ts';
import { RemoteRig } from './testing/remote-rig.ts';

const hour = 3_600_000;
/** Delay from host to guest plus the granularity of both sides' timers, in milliseconds. */
const tolerance = 200;

describe.each([3, -3])('a guest whose clock is %i h ahead of the host', (hours) => {
  async function apart() {
    const clock = new VirtualClock(1_700_000_000_000);
    const rig = new RemoteRig({ clock, delay: () => 20 });
    rig.share();
    const own = clockAhead(clock, hours * hour);
    const joined = rig.join('Grace', rig.secret, own);
    const { guest } = joined;
    await rig.until('joined', () => guest.status.state === 'joined' && guest.status.ports.length > 0);
    const guestLeft = () => (guest.status.endsAt ?? 0) - own.now();
    const hostLeft = () => rig.host.status.endsAt - clock.now();
    return { ...joined, clock, rig, own, guestLeft, hostLeft };
  }

  it('has as long until the end as the host, by its own clock', async () => {
    const { rig, clock, guestLeft, hostLeft } = await apart();
    expect(Math.abs(hostLeft() - 8 * hour)).toBeLessThan(tolerance);
    expect(Math.abs(guestLeft() - hostLeft())).toBeLessThan(tolerance);
    rig.host.endAfter(hour);
    await clock.advance(tolerance);
    expect(Math.abs(hostLeft() - hour)).toBeLessThan(2 * tolerance);
    expect(Math.abs(guestLeft() - hostLeft())).toBeLessThan(tolerance);
  });

  it('has that also after its connection was lost', async () => {
    const { rig, clock, guest, guestLeft, hostLeft } = await apart();
    rig.relay.isDown = true;
    rig.relay.cutGuests();
    await clock.advance(20_000);
    rig.relay.isDown = false;
    await rig.until('back', () => guest.status.state === 'joined');
    expect(Math.abs(guestLeft() - hostLeft())).toBeLessThan(tolerance);
  });

  it('sees sharing end when the host says, neither sooner nor later', async () => {
    const { rig, clock, guest, guestLeft } = await apart();
    rig.host.endAfter(600_000);
    await clock.advance(tolerance);
    await clock.advance(guestLeft() - 2 * tolerance);
    expect(guest.status.state).toBe('joined');
    await clock.advance(4 * tolerance);
    expect(guest.status).toMatchObject({ state: 'ended', why: 'ended' });
  });

  it('knows how far the clocks are apart, and has the times of bytes as the host has them', async () => {
    const { rig, clock, guest, pieces } = await apart();
    await rig.until('measured', () => guest.status.hostAhead !== null);
    expect(Math.abs((guest.status.hostAhead ?? 0) + hours * hour)).toBeLessThan(tolerance);
    const at = clock.now();
    rig.host.tapped(1, 'received', Uint8Array.of(1), at);
    await clock.advance(100);
    expect(pieces.map(({ time }) => time)).toEqual([at]);
  });
});
