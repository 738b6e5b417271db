import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { RemoteRig, type RemoteRigOptions } from './testing/remote-rig.ts';

const password = new TextEncoder().encode('hunter2\n');
const read = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function shared(options: Partial<RemoteRigOptions> = {}) {
  const clock = new VirtualClock(1_000_000);
  const device = new FakeSerialPort();
  const rig = new RemoteRig({ clock, device: () => device, delay: () => 20, ...options });
  rig.share();
  return { clock, device, rig };
}

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof DOMException ? error.name : String(error)),
  );

describe('bytes that a guest hides', () => {
  it('reach the host with the right to type, and every guest sees only their number', async () => {
    const { rig, clock } = shared();
    const watching = await rig.joined('Ben');
    const { guest, lane } = await rig.joined('Grace');
    expect(guest.status.canHide).toBe(true);
    expect(await rig.run(outcome(guest.typeHidden(1, password)))).toBe('NotAllowedError');
    expect(rig.calls).toEqual([]);
    rig.host.setRight(rig.idOf('Grace'), 1, 'type');
    expect(await rig.run(outcome(guest.typeHidden(1, password)))).toBe('done');
    expect(rig.calls).toEqual(['hidden 1 hunter2\n']);
    await clock.advance(200);
    expect([read(lane(1, 'sent')), read(watching.lane(1, 'sent'))]).toEqual(['hidden, 8 bytes', 'hidden, 8 bytes']);
  });

  it('go to the port that the guest uses, in order, and nothing else shows them', async () => {
    const { rig, clock, device } = shared();
    const { guest, port, lane } = await rig.using();
    await rig.run(port.open({ baudRate: 115_200 }));
    const writer = port.writable?.getWriter();
    await rig.run(Promise.all([writer?.write(new TextEncoder().encode('login\n'))]));
    expect(await rig.run(outcome(guest.typeHidden(1, password)))).toBe('done');
    await rig.run(Promise.all([writer?.write(new TextEncoder().encode('ls\n'))]));
    await clock.advance(200);
    expect(read(Uint8Array.from(device.written))).toBe('login\nhunter2\nls\n');
    expect(rig.passed.map(({ bytes }) => read(bytes))).toEqual(['login\n', 'hidden, 8 bytes', 'ls\n']);
    expect(read(lane(1, 'sent'))).toBe('login\nhidden, 8 bytesls\n');
  });

  it('need no room of the stream to a used port', async () => {
    const { rig, clock, device } = shared({ limits: { window: 16 } });
    const { guest, port } = await rig.using();
    await rig.run(port.open({ baudRate: 115_200 }));
    for (let turn = 0; turn < 4; turn++) {
      expect(await rig.run(outcome(guest.typeHidden(1, password)))).toBe('done');
    }
    const writer = port.writable?.getWriter();
    await rig.run(Promise.all([writer?.write(new Uint8Array(40))]));
    await clock.advance(500);
    expect(device.written).toHaveLength(4 * 8 + 40);
  });

  it('are not sent to a host that would show them', async () => {
    const { rig } = shared({ hides: false });
    const { guest } = await rig.joined();
    rig.host.setRight(rig.idOf('Grace'), 1, 'type');
    expect(guest.status.canHide).toBe(false);
    const before = rig.relay.seen.length;
    expect(await outcome(guest.typeHidden(1, password))).toBe('NotAllowedError');
    expect(rig.calls).toEqual([]);
    expect(rig.relay.seen).toHaveLength(before);
  });
});
