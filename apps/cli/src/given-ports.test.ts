import type { ListedPort } from '@wirebench/node-port';
import { describe, expect, it } from 'vitest';
import { givenPorts } from './given-ports.ts';

/** Two adapters of one kind, of which each has its serial number, and a port without USB. */
const listed = ['A50285BI', 'B70001XY'].map((serialNumber, index): ListedPort => {
  const path = `/dev/no-such-usb${index}`;
  const byId = `/dev/serial/by-id/usb-FTDI_${serialNumber}-if00-port0`;
  const usb = { vendorId: 0x0403, productId: 0x6001, serialNumber, manufacturer: 'FTDI', product: 'FT232R' };
  return { path, name: path, byId, byPath: `/dev/serial/by-path/pci-usb-0:${index}:1.0-port0`, ...usb };
});
const list = async () => listed;

describe('names of ports', () => {
  it.each([
    ['a serial number', 'B70001XY', '/dev/no-such-usb1'],
    ['the last part of a link by ID', 'usb-FTDI_A50285BI-if00-port0', '/dev/no-such-usb0'],
    ['the last part of a link by path', 'pci-usb-0:1:1.0-port0', '/dev/no-such-usb1'],
    ['a path', '/dev/no-such-port', '/dev/no-such-port'],
    ['the last part of a path', 'no-such-port', '/dev/no-such-port'],
  ])('take %s', async (_what, name, path) => {
    expect(await givenPorts([name], list)).toEqual([expect.objectContaining({ name, path })]);
  });

  it('take USB IDs of one port alone', async () => {
    expect(await givenPorts(['0403:6001'], async () => listed.slice(1))).toEqual([
      { name: '0403:6001', path: '/dev/no-such-usb1', label: '0403:6001' },
    ]);
  });

  it('list the ports that share a name, with exit code 2', async () => {
    await expect(givenPorts(['0403:6001'], list)).rejects.toMatchObject({
      exitCode: 2,
      message: [
        '0403:6001 is the name of 2 ports.',
        '  /dev/no-such-usb0  /dev/serial/by-id/usb-FTDI_A50285BI-if00-port0',
        '  /dev/no-such-usb1  /dev/serial/by-id/usb-FTDI_B70001XY-if00-port0',
      ].join('\n'),
    });
  });
});
