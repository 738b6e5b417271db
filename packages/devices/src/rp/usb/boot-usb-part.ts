/** A boot ROM's device as a page's WebUSB has it. */
import type { UsbDeviceFacts, UsbPart } from '../../usb/usb-device.ts';
import type { UsbAlternate, UsbControlSetup, UsbDirection } from '../../usb/web-usb.ts';
import type { BootDeviceFacts } from '../rom/boot-device.ts';
import { packetSize } from '../rom/endpoint.ts';
import type { FullSpeedHost, TransferResult } from './full-speed-host.ts';

const typeBits = { standard: 0, class: 1, vendor: 2 } as const;
const recipientBits = { device: 0, interface: 1, endpoint: 2, other: 3 } as const;

interface BootUsbOptions {
  readonly facts: BootDeviceFacts;
  readonly host: FullSpeedHost;
  /** True: a driver holds interface 1, or Windows has bound none to it. */
  readonly isHeld: () => boolean;
  readonly forget: () => void;
}

export function bootUsbPart({ facts, host, isHeld, forget }: BootUsbOptions): UsbPart {
  const of = (answer: Uint8Array<ArrayBuffer> | 'stall' | 'nak' | 'gone') =>
    answer === 'nak' || answer === 'gone' ? forever() : answer;
  return {
    ...deviceFacts(facts),
    isHeld: (interfaceNumber) => interfaceNumber === 1 && isHeld(),
    control: async (setup, direction, _data, length) => of(await host.control(setupOf(setup, direction, length))),
    send: async (endpointNumber, data, signal) => {
      const { result, sent } = await host.send(endpointNumber, data, signal);
      return result === 'gone' ? forever() : { status: statusOf(result), bytesWritten: sent };
    },
    receive: async (endpointNumber, length, signal) => {
      const { result, data } = await host.receive(endpointNumber | 0x80, length, signal);
      return result === 'gone' ? forever() : { status: statusOf(result), data: new DataView(data.buffer) };
    },
    clearHalt: async (direction, endpointNumber) => {
      const index = direction === 'in' ? endpointNumber | 0x80 : endpointNumber;
      of(await host.control({ type: 2, request: 1, value: 0, index, length: 0 }));
    },
    selectConfiguration: () => host.configure(),
    reset: () => host.reset(),
    forget,
  };
}

function statusOf(result: Exclude<TransferResult['result'], 'gone'>): 'ok' | 'stall' | 'babble' {
  return result;
}

/** The page's promise is rejected by the device that is lost or closed, not by the transfer. */
function forever(): Promise<never> {
  return new Promise(() => undefined);
}

function setupOf(setup: UsbControlSetup, direction: UsbDirection, length: number) {
  const type = (direction === 'in' ? 0x80 : 0) | (typeBits[setup.requestType] << 5) | recipientBits[setup.recipient];
  return { type, request: setup.request, value: setup.value, index: setup.index, length };
}

function deviceFacts(facts: BootDeviceFacts): UsbDeviceFacts {
  const endpoint = (endpointNumber: number, direction: UsbDirection) =>
    ({ endpointNumber, direction, type: 'bulk', packetSize }) as const;
  const storage: UsbAlternate = {
    alternateSetting: 0,
    interfaceClass: 0x08,
    interfaceSubclass: 0x06,
    interfaceProtocol: 0x50,
    endpoints: [endpoint(1, 'in'), endpoint(2, 'out')],
  };
  const picoboot: UsbAlternate = {
    alternateSetting: 0,
    interfaceClass: 0xff,
    interfaceSubclass: 0,
    interfaceProtocol: 0,
    endpoints: [endpoint(3, 'out'), endpoint(4, 'in')],
  };
  return {
    vendorId: facts.vendorId,
    productId: facts.productId,
    usbVersion: facts.usbVersion,
    release: facts.deviceVersion,
    manufacturerName: facts.manufacturer,
    productName: facts.product,
    serialNumber: facts.serialNumber,
    interfaces: [[storage], [picoboot]],
  };
}
