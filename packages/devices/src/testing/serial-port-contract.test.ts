import { VirtualClock } from '@wirebench/clock';
import { describe, it } from 'vitest';
import { SimulatedSerial } from '../port/simulated-serial.ts';
import type { FaultPlan } from '../wire/faults.ts';
import { type UartSettings, uartLink } from '../wire/link.ts';
import type { Pace } from '../wire/wire.ts';
import type { ContractBench } from './contract-bench.ts';
import { SilentDevice } from './port-fixture.ts';
import { serialPortContract } from './serial-port-contract.ts';

/** Uses the parity that the host opens the port with. */
class FollowingDevice extends SilentDevice {
  constructor() {
    super(uartLink(921_600));
  }

  hostOpened({ parity }: UartSettings): void {
    this.link = uartLink(921_600, { parity });
  }
}

function simulatedBench(pace: Pace, faults: FaultPlan): ContractBench {
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
