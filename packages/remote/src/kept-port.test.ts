/** Tests a guest that may use a port but cannot get it, because the host has it open in another tool. */
import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { expect, it } from 'vitest';
import { RemoteRig } from './testing/remote-rig.ts';

const at115200 = { baudRate: 115_200 };

async function kept() {
  const clock = new VirtualClock(1_000_000);
  const board = new FakeSerialPort();
  let device: SerialPort | null = null;
  const rig = new RemoteRig({ clock, device: () => device, delay: () => 20 });
  rig.share();
  const { guest, port } = await rig.using();
  const outcome = () =>
    rig.run(
      port.open(at115200).then(
        () => 'opened',
        () => 'refused',
      ),
    );
  const letGo = () => {
    device = board;
  };
  const asked = () => rig.host.status.guests[0]?.ports[0]?.asked;
  return { clock, rig, guest, port, outcome, letGo, asked };
}

it('asks for it, and the host sees that until the guest has opened it', async () => {
  const { clock, rig, guest, outcome, letGo, asked } = await kept();
  expect(await outcome()).toBe('refused');
  guest.ask(1, 'use');
  await clock.advance(100);
  expect(asked()).toBe('use');
  expect(guest.status.ports[0]?.asked).toBe('use');
  letGo();
  await clock.advance(rig.limits.reopen);
  expect(await outcome()).toBe('opened');
  expect(asked()).toBeNull();
});

it('is answered when the host gives the right that it has', async () => {
  const { clock, rig, guest, asked } = await kept();
  guest.ask(1, 'use');
  await clock.advance(100);
  rig.host.setRight(rig.idOf('Grace'), 1, 'use');
  await clock.advance(100);
  expect(asked()).toBeNull();
  expect(guest.status.ports[0]?.asked).toBeNull();
});

it('does not ask for a port that it has', async () => {
  const { clock, guest, outcome, letGo, asked } = await kept();
  letGo();
  expect(await outcome()).toBe('opened');
  guest.ask(1, 'use');
  await clock.advance(100);
  expect(asked()).toBeNull();
});
