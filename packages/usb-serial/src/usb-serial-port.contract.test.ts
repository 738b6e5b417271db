/** The contract of every `SerialPort`, on each kind of adapter. */
import { VirtualClock } from '@wirebench/clock';
import { describe, it } from 'vitest';
import type { ContractRig } from '../../devices/src/testing/contract-rig.ts';
import { FollowingDevice } from '../../devices/src/testing/port-fixture.ts';
import { serialPortContract } from '../../devices/src/testing/serial-port-contract.ts';
import type { AdapterName } from './testing/adapters.ts';
import { FakeUsbBus } from './testing/fake-usb-bus.ts';
import { WiredAdapter } from './testing/wired-adapter.ts';
import { UsbSerial } from './usb-serial.ts';

async function usbRig(name: AdapterName, lineErrors: ContractRig['lineErrors'], time = 0): Promise<ContractRig> {
  const clock = new VirtualClock();
  const usb = new FakeUsbBus();
  const device = new FollowingDevice();
  const latency = () => time;
  const plugIn = () => {
    const wired = new WiredAdapter({ clock, name, device, latency });
    usb.plugIn(wired.adapter.device);
    return wired;
  };
  let wired = plugIn();
  const serial = new UsbSerial({ usb, clock });
  await clock.settle();
  const port = (await serial.getPorts())[wired.adapter.uart];
  if (port === undefined) {
    throw new Error('the port is plugged in');
  }
  return {
    port,
    serial,
    deviceSends: (bytes) => device.line?.write(bytes),
    deviceGot: () => Uint8Array.from(device.got),
    lines: () => device.lines.at(-1) ?? { dtr: false, rts: false },
    unplug: () => {
      wired.wired.detach();
      usb.unplug(wired.adapter.device);
    },
    replug: () => {
      wired = plugIn();
    },
    lineErrors,
    inject: (error) => wired.inject(error),
    elapse: (milliseconds) => clock.advance(milliseconds),
  };
}

/** Line errors that each kind reports. An overrun of CP210x and FTDI has a byte, which the contract does not expect. */
const damage = ['break', 'framing', 'parity'] as const;
const rigs = {
  'a CDC board': () => usbRig('cdc-pico', [...damage, 'overrun']),
  'a USB-Serial-JTAG of an ESP32': () => usbRig('cdc-esp-usb-jtag', [...damage, 'overrun']),
  'a CP2102': () => usbRig('cp2102', []),
  'a CP2104': () => usbRig('cp2104', damage),
  'a CH340': () => usbRig('ch340-v31', []),
  'an FT232R': () => usbRig('ft232r', damage),
  'an FT231X': () => usbRig('ft231x', damage),
  'a PL2303HX': () => usbRig('pl2303-hx', [...damage, 'overrun']),
  'a PL2303GC': () => usbRig('pl2303-gc', [...damage, 'overrun']),
  'a CP2104 with 8 ms a transfer': () => usbRig('cp2104', damage, 8),
  'an FT232R with 8 ms a transfer': () => usbRig('ft232r', damage, 8),
} satisfies Record<string, () => Promise<ContractRig>>;

describe.each(Object.entries(rigs))('%s', (_name, makeRig) => {
  it.each(serialPortContract.map((contractCase) => [contractCase.name, contractCase] as const))(
    '%s',
    async (_sentence, contractCase) => contractCase.run(await makeRig()),
  );
});
