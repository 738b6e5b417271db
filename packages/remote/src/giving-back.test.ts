/** Tests the return of a port to the host's session after a guest has closed it. */
import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { expect, it } from 'vitest';
import { RemoteRig } from './testing/remote-rig.ts';

const at115200 = { baudRate: 115_200 };

async function used() {
  const clock = new VirtualClock(1_000_000);
  const device = new FakeSerialPort();
  const rig = new RemoteRig({ clock, device: () => device, delay: () => 20 });
  rig.share();
  const { port } = await rig.using();
  await rig.run(port.open(at115200));
  return { clock, device, rig, port };
}

it('a closed port stays reserved for its guest for a while, so that it can open it again', async () => {
  const { clock, rig, port } = await used();
  await rig.run(port.close());
  await clock.advance(rig.limits.reopen - 200);
  expect(rig.calls).toEqual(['acquire 1']);
  await rig.run(port.open({ baudRate: 460_800 }));
  await clock.advance(rig.limits.reopen * 2);
  expect(rig.calls).toEqual(['acquire 1']);
});

it('a port that is given back returns to the host without that wait, and can be used again', async () => {
  const { clock, device, rig, port } = await used();
  await rig.run(port.close());
  const before = clock.now();
  await rig.run(port.giveBack());
  expect(rig.calls).toEqual(['acquire 1', 'release 1']);
  expect(clock.now() - before).toBeLessThan(100);
  expect(port.connected).toBe(true);
  await clock.advance(100);
  await rig.run(port.open(at115200));
  expect(rig.calls).toEqual(['acquire 1', 'release 1', 'acquire 1']);
  expect(device.isOpen).toBe(true);
  await clock.advance(rig.limits.reopen * 2);
  expect(device.isOpen).toBe(true);
});

it('a guest can give back neither a port in use by another guest nor its own open port', async () => {
  const { clock, device, rig, port } = await used();
  const bob = await rig.using('Bob');
  await rig.run(bob.port.giveBack());
  await clock.advance(1_000);
  expect(rig.calls).toEqual(['acquire 1']);
  await expect(port.giveBack()).rejects.toThrow('The port is open.');
  expect(device.isOpen).toBe(true);
});

it('a failed port is acquired again when its guest opens it during the close', async () => {
  const { clock, device, rig, port } = await used();
  device.hold('close');
  await device.failForGood('UnknownError');
  await clock.advance(100);
  await rig.run(port.close());
  const opening = port.open(at115200);
  await clock.advance(100);
  device.release('close');
  await rig.run(opening);
  expect(rig.calls).toEqual(['acquire 1', 'release 1 lost', 'acquire 1']);
  await rig.run(port.writable?.getWriter().write(Uint8Array.of(1, 2, 3)) ?? Promise.resolve());
  await clock.advance(100);
  expect(device.written).toEqual([1, 2, 3]);
});

it('a failed port goes to the first guest that opens it during the close', async () => {
  const { clock, device, rig, port } = await used();
  const bob = await rig.using('Bob');
  device.hold('close');
  await device.failForGood('UnknownError');
  await clock.advance(100);
  await rig.run(port.close());
  const ours = port.open(at115200).then(
    () => 'opened',
    () => 'refused',
  );
  await clock.advance(100);
  const theirs = bob.port.open(at115200).then(
    () => 'opened',
    () => 'refused',
  );
  await clock.advance(100);
  device.release('close');
  expect([await rig.run(ours), await rig.run(theirs)]).toEqual(['opened', 'refused']);
  await rig.run(port.close());
  await clock.advance(rig.limits.reopen * 2);
  expect(device.isOpen).toBe(false);
  expect(rig.calls.at(-1)).toBe('release 1');
});

it('a port that is shared again while it still closes can be opened', async () => {
  const clock = new VirtualClock(1_000_000);
  const device = new FakeSerialPort();
  const rig = new RemoteRig({ clock, device: () => device, delay: () => 20 });
  rig.share();
  const { guest, port } = await rig.using();
  await rig.run(port.open(at115200));
  device.hold('close');
  rig.host.setPort(1, null);
  await clock.advance(100);
  rig.share();
  await clock.advance(100);
  const again = guest.serial.portAt(1);
  expect(again).not.toBe(port);
  const opening = again?.open(at115200).then(
    () => 'opened',
    (error: unknown) => error,
  );
  await clock.advance(100);
  device.release('close');
  expect(await rig.run(opening ?? Promise.resolve())).toBe('opened');
  expect(rig.calls).toEqual(['acquire 1', 'release 1', 'acquire 1']);
  expect(device.isOpen).toBe(true);
});
