import { VirtualClock } from '@wirebench/clock';
import { SimulatedSerial } from '@wirebench/devices';
import { describe, it } from 'vitest';
import type { ContractRig } from '../../devices/src/testing/contract-rig.ts';
import { FollowingDevice } from '../../devices/src/testing/port-fixture.ts';
import { serialPortContract } from '../../devices/src/testing/serial-port-contract.ts';
import { numbersOf, tamperAt } from './testing/hostile-relay.ts';
import { RemoteRig, type RemoteRigOptions } from './testing/remote-rig.ts';

async function remoteRig(
  options: Partial<RemoteRigOptions>,
  disturb: (rig: RemoteRig) => void = () => undefined,
): Promise<ContractRig> {
  const clock = new VirtualClock();
  const serial = new SimulatedSerial();
  const device = new FollowingDevice();
  const bridge = serial.plugIn({ device, clock, usbVendorId: 0x10c4, usbProductId: 0xea60 });
  const rig = new RemoteRig({ clock, device: () => bridge.port, ...options });
  rig.share();
  const { guest, port } = await rig.using();
  disturb(rig);
  return {
    port,
    serial: guest.serial,
    deviceSends: (bytes) => device.line?.write(bytes),
    deviceGot: () => Uint8Array.from(device.got),
    lines: () => device.lines.at(-1) ?? { dtr: false, rts: false },
    unplug: () => {
      bridge.unplug();
      rig.share({ present: false });
    },
    replug: () => {
      bridge.replug();
      rig.share();
    },
    lineErrors: ['break', 'framing', 'parity', 'overrun'],
    inject: (error) => bridge.inject(error),
    elapse: (milliseconds) => clock.advance(milliseconds),
  };
}

/** Cuts the guest's connection at this interval, in milliseconds. */
function cutting(every: number) {
  return (rig: RemoteRig) => {
    const cut = () => {
      rig.relay.cutGuests();
      rig.clock.schedule(every, cut);
    };
    rig.clock.schedule(every, cut);
  };
}

const jitter = numbersOf(5);

const rigs = {
  'a remote port on a quick link': () => remoteRig({ delay: () => 0.5 }),
  'a remote port with 40 ms of round trip': () => remoteRig({ delay: () => 20 }),
  'a remote port with a slow link that jitters': () => remoteRig({ delay: () => 5 + jitter() * 200 }),
  'a remote port whose connection is lost every second': () => remoteRig({ delay: () => 20 }, cutting(1_000)),
  'a remote port behind a relay that reorders': () =>
    remoteRig({ delay: () => 10, tamper: tamperAt(7, 0.02, ['swap']) }),
  'a remote port behind a relay that drops and repeats': () =>
    remoteRig({ delay: () => 10, tamper: tamperAt(8, 0.02, ['drop', 'repeat']) }),
} satisfies Record<string, () => Promise<ContractRig>>;

describe.each(Object.entries(rigs))('%s', (_name, makeRig) => {
  it.each(serialPortContract.map((contractCase) => [contractCase.name, contractCase] as const))(
    '%s',
    async (_sentence, contractCase) => contractCase.run(await makeRig()),
  );
});
