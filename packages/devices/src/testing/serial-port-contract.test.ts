import { VirtualClock } from '@wirebench/clock';
import { describe, it } from 'vitest';
import { SimulatedSerial } from '../port/simulated-serial.ts';
import type { FaultPlan } from '../wire/faults.ts';
import type { Pace } from '../wire/wire.ts';
import type { ContractRig } from './contract-rig.ts';
import { FollowingDevice } from './port-fixture.ts';
import { serialPortContract } from './serial-port-contract.ts';

function simulatedRig(pace: Pace, faults: FaultPlan): ContractRig {
  const clock = new VirtualClock();
  const serial = new SimulatedSerial();
  const device = new FollowingDevice();
  const bridge = serial.plugIn({ device, clock, pace, faults, usbVendorId: 0x10c4, usbProductId: 0xea60 });
  const { port } = bridge;
  if (port === null) {
    throw new Error('the port is plugged in');
  }
  return {
    port,
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

const rigs = {
  'a simulated serial port at wire speed': () => simulatedRig('wire', {}),
  'a simulated serial port without pacing': () => simulatedRig('none', {}),
  'a simulated serial port that is slow and gives single bytes': () =>
    simulatedRig('wire', { splitReads: true, openDelay: 30, toHost: { delay: [1, 9] }, toDevice: { delay: 3 } }),
} satisfies Record<string, () => ContractRig>;

describe.each(Object.entries(rigs))('%s', (_name, makeRig) => {
  it.each(serialPortContract.map((contractCase) => [contractCase.name, contractCase] as const))(
    '%s',
    async (_sentence, contractCase) => contractCase.run(makeRig()),
  );
});
