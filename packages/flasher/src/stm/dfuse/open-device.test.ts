import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import type { UsbAlternate, UsbDevice } from '../../usb-device.ts';
import { connectStmUsb } from '../connect/connect-stm-usb.ts';

const dfu: UsbAlternate = {
  alternateSetting: 0,
  interfaceClass: 0xfe,
  interfaceSubclass: 1,
  interfaceProtocol: 2,
  interfaceName: '@Internal Flash  /0x08000000/04*016Kg',
};

/** Returns a device whose calls all reject with `failure` if given. */
function deviceWith(alternate: UsbAlternate, failure: DOMException | null): UsbDevice & { readonly calls: string[] } {
  const calls: string[] = [];
  const call = async (name: string) => {
    calls.push(name);
    if (failure !== null && name !== 'close') {
      throw failure;
    }
  };
  return {
    calls,
    vendorId: 0x0483,
    productId: 0xdf11,
    deviceVersionMajor: 34,
    deviceVersionMinor: 0,
    deviceVersionSubminor: 0,
    configuration: null,
    configurations: [{ configurationValue: 1, interfaces: [{ interfaceNumber: 0, alternates: [alternate] }] }],
    opened: false,
    open: () => call('open'),
    close: () => call('close'),
    selectConfiguration: () => call('select configuration'),
    claimInterface: () => call('claim'),
    selectAlternateInterface: () => call('select alternate'),
    controlTransferIn: async () => ({ status: 'stall' }),
    controlTransferOut: async () => ({ bytesWritten: 0, status: 'stall' }),
  };
}

const connect = (device: UsbDevice, signal?: AbortSignal) =>
  connectStmUsb(device, { clock: new VirtualClock(), ...(signal && { signal }) });

describe('a USB device', () => {
  it.each([
    ['SecurityError', 'usb-driver'],
    ['NetworkError', 'usb-driver'],
    ['NotFoundError', 'port-gone'],
  ])('refused by the system with %s is reported as %s', async (name, code) => {
    const device = deviceWith(dfu, new DOMException('Access denied.', name));
    await expect(connect(device)).rejects.toMatchObject({ name: 'StmError', code });
    expect(device.calls.at(-1)).toBe('close');
  });

  it('is refused before it is opened if it has no DFU interface', async () => {
    const device = deviceWith({ ...dfu, interfaceClass: 0x03 }, null);
    await expect(connect(device)).rejects.toMatchObject({ code: 'usb-not-dfu' });
    expect(device.calls).not.toContain('open');
  });

  it('is refused if its settings name no memory', async () => {
    const device = deviceWith({ ...dfu, interfaceName: 'Boot' }, null);
    await expect(connect(device)).rejects.toMatchObject({ code: 'usb-not-dfu' });
  });

  it('is not touched if the connect was cancelled before', async () => {
    const device = deviceWith(dfu, null);
    await expect(connect(device, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    expect(device.calls).toEqual([]);
  });
});
