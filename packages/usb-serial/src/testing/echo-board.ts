/** A board of the USB class CDC that sends each byte back. */
import { type Clock, systemClock } from '@wirebench/clock';
import { FakeCdc } from './chips/fake-cdc.ts';
import { FakeUsbDevice } from './fake-usb-device.ts';

/** Endpoint of the bytes, in both directions. */
const DATA = 2;

/** @param clock Default: the system's. */
export function echoBoard(clock: Clock = systemClock): FakeUsbDevice {
  const chip = new FakeCdc([{ in: DATA, out: DATA }], [0]);
  const endpoint = (endpointNumber: number, direction: 'in' | 'out', type: 'bulk' | 'interrupt') => ({
    endpointNumber,
    direction,
    type,
    packetSize: 64,
  });
  const alternate = { alternateSetting: 0, interfaceSubclass: 2, interfaceProtocol: 0 };
  const interfaces = [
    {
      interfaceNumber: 0,
      alternates: [{ ...alternate, interfaceClass: 2, endpoints: [endpoint(1, 'in', 'interrupt')] }],
    },
    {
      interfaceNumber: 1,
      alternates: [
        { ...alternate, interfaceClass: 10, endpoints: [endpoint(DATA, 'in', 'bulk'), endpoint(DATA, 'out', 'bulk')] },
      ],
    },
  ];
  const descriptor = { vendorId: 0x2e8a, productId: 0x000a, configurations: [{ configurationValue: 1, interfaces }] };
  const device = new FakeUsbDevice(descriptor, chip, { clock });
  chip.onBytes = (_uart, bytes) => {
    device.packet(DATA, bytes);
    return bytes.length;
  };
  return device;
}
