/**
 * Tests misleading names. A guest sees the names of its host, of ports and of other guests as one line without hidden
 * characters.
 */
import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { expect, it } from 'vitest';
import { RemoteRig } from './testing/remote-rig.ts';

const rigOf = (name?: string) => {
  const clock = new VirtualClock(1_000_000);
  const device = new FakeSerialPort();
  return {
    clock,
    rig: new RemoteRig({ clock, device: () => device, delay: () => 20, ...(name !== undefined && { name }) }),
  };
};

it('a port with direction marks, line breaks or an invisible name gets a clean name', async () => {
  const { clock, rig } = rigOf();
  rig.share({ name: '\u202Edlrow\u0007 one\r\n\u001B[2Jtwo' }, 1);
  rig.share({ name: '\u200B\u3164' }, 2);
  const { guest } = await rig.joined();
  await clock.advance(500);
  expect(guest.status.ports.map(({ name }) => name)).toEqual(['dlrow one[2Jtwo', 'Port 2']);
});

it('a host with an invisible name gets a default name', async () => {
  const { rig } = rigOf('\u2066\u200F');
  rig.share();
  const { guest } = await rig.joined();
  expect(guest.status.host).toBe('Somebody');
});

it('other guests see cleaned names of guests and of users of a port', async () => {
  const { clock, rig } = rigOf();
  rig.share();
  const { guest } = await rig.joined();
  const eve = await rig.using('\u202EevE\u0301\u0302\u0303\u0304\u0305');
  await rig.run(eve.port.open({ baudRate: 115_200 }));
  await clock.advance(500);
  expect(guest.status.people.map(({ name }) => name).toSorted()).toEqual(['Grace', 'evE\u0301\u0302\u0303']);
  expect(guest.status.ports[0]?.user).toBe('evE\u0301\u0302\u0303');
});

it('a guest with a name of ten thousand characters has a short one at the host', async () => {
  const { rig } = rigOf();
  rig.share();
  const { guest } = await rig.joined('😀'.repeat(10_000));
  expect(rig.host.status.guests.map(({ name }) => name)).toEqual(['😀'.repeat(20)]);
  expect(guest.status.people.map(({ name }) => name)).toEqual(['😀'.repeat(20)]);
});
