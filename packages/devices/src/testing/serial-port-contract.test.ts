import { VirtualClock } from '@wirebench/clock';
import { describe, it } from 'vitest';
import { SimulatedSerial } from '../port/simulated-serial.ts';
import type { ControlLines, Device, DeviceLine } from '../wire/device.ts';
import type { FaultPlan } from '../wire/faults.ts';
import { uartLink } from '../wire/link.ts';
import type { Pace } from '../wire/wire.ts';
import type { ContractBench } from './contract-bench.ts';
import { serialPortContract } from './serial-port-contract.ts';

/** A device that does nothing by itself. */
class Puppet implements Device {
  readonly got: number[] = [];
  lines: ControlLines = { dtr: false, rts: false, break: false };
  line: DeviceLine | null = null;
  link = uartLink(921_600);

  attach(line: DeviceLine): void {
    this.line = line;
  }

  detach(): void {
    this.line = null;
  }

  receive(bytes: Uint8Array): void {
    this.got.push(...bytes);
  }

  controlChanged(lines: ControlLines): void {
    this.lines = lines;
  }

  hostOpened(settings: { parity: ParityType }): void {
    this.link = uartLink(921_600, { parity: settings.parity });
  }
}

function simulatedBench(pace: Pace, faults: FaultPlan): ContractBench {
  const clock = new VirtualClock();
  const serial = new SimulatedSerial();
  const device = new Puppet();
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
    lines: () => device.lines,
    unplug: () => bridge.unplug(),
    replug: () => bridge.replug(),
    lineErrors: ['break', 'framing', 'parity', 'overrun'],
    inject: (error) => bridge.inject(error),
    elapse: (milliseconds) => clock.advance(milliseconds),
  };
}

const benches = {
  'a simulated serial port at wire speed': () => simulatedBench('wire', {}),
  'a simulated serial port without pacing': () => simulatedBench('none', {}),
  'a simulated serial port that is slow and gives single bytes': () =>
    simulatedBench('wire', { splitReads: true, openDelay: 30, toHost: { delay: [1, 9] }, toDevice: { delay: 3 } }),
} satisfies Record<string, () => ContractBench>;

describe.each(Object.entries(benches))('%s', (_name, makeBench) => {
  it.each(serialPortContract.map((contractCase) => [contractCase.name, contractCase] as const))(
    '%s',
    async (_sentence, contractCase) => contractCase.run(makeBench()),
  );
});
