import { VirtualClock } from '@wirebench/clock';
import { SimulatedSerial } from '@wirebench/devices';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import type { ContractRig } from '../../../../../packages/devices/src/testing/contract-rig.ts';
import { FollowingDevice } from '../../../../../packages/devices/src/testing/port-fixture.ts';
import { serialPortContract } from '../../../../../packages/devices/src/testing/serial-port-contract.ts';
import { tappedPort } from './tool-ports.ts';

function tappedRig(): ContractRig {
  const clock = new VirtualClock();
  const serial = new SimulatedSerial();
  const device = new FollowingDevice();
  const bridge = serial.plugIn({ device, clock, usbVendorId: 0x10c4, usbProductId: 0xea60 });
  if (bridge.port === null) {
    throw new Error('the port is plugged in');
  }
  return {
    port: tappedPort(bridge.port, () => undefined),
    serial,
    deviceSends: (bytes) => device.line?.write(bytes),
    deviceGot: () => Uint8Array.from(device.got),
    lines: () => device.lines.at(-1) ?? { dtr: false, rts: false },
    unplug: () => bridge.unplug(),
    replug: () => bridge.replug(),
    lineErrors: ['break', 'framing', 'parity', 'overrun'],
    inject: (error) => bridge.inject(error),
    elapse: (milliseconds) => clock.advance(milliseconds),
  };
}

/** Contract items about the browser's list of ports, which holds the board's own port. */
const ofTheList = [
  'is listed while it is permitted, and no more once it is forgotten',
  'keeps what was read when the device vanishes, calls both listeners, and can be closed',
];
const cases = serialPortContract.filter(({ name }) => !ofTheList.includes(name));

describe('a tapped port', () => {
  it.each(cases.map((contractCase) => [contractCase.name, contractCase] as const))(
    '%s',
    async (_sentence, contractCase) => contractCase.run(tappedRig()),
  );

  it('leaves out no case but those of the list', () => {
    expect(serialPortContract.length - cases.length).toBe(ofTheList.length);
  });

  it('reports what passes, both ways and in order, from each stream that the port gives', async () => {
    const device = new FakeSerialPort();
    const passed: string[] = [];
    const port = tappedPort(device, (lane, bytes) => passed.push(`${lane} ${new TextDecoder().decode(bytes)}`));
    for (const round of ['one', 'two']) {
      await port.open({ baudRate: 115_200 });
      const reader = port.readable?.getReader();
      const writer = port.writable?.getWriter();
      device.receive(`board ${round}`);
      await reader?.read();
      await writer?.write(new TextEncoder().encode(`host ${round}`));
      writer?.releaseLock();
      await reader?.cancel();
      reader?.releaseLock();
      await port.close();
    }
    expect(passed).toEqual(['received board one', 'sent host one', 'received board two', 'sent host two']);
  });
});
