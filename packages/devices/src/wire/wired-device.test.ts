import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { DeviceTerminal } from '../testing/device-terminal.ts';
import { SilentDevice } from '../testing/port-fixture.ts';
import { lowWater } from './device.ts';
import { type Link, uartLink } from './link.ts';
import type { WiredDeviceOptions } from './wired-device.ts';

const at9600 = { baudRate: 9_600, dataBits: 8, stopBits: 1, parity: 'none' } as const;

function wired(options: Omit<WiredDeviceOptions, 'clock'> = {}, link: Link = uartLink(9_600)) {
  const clock = new VirtualClock();
  const device = new SilentDevice(link);
  return { clock, device, terminal: new DeviceTerminal(device, clock, options) };
}

describe('wired device', () => {
  it('reports what went over the wire, and whether anybody received it', async () => {
    const transmitted: [number[], boolean][] = [];
    const { clock, device, terminal } = wired({
      onTransmit: (bytes, received) => transmitted.push([[...bytes], received]),
    });
    device.sends(1);
    await clock.advance(10);
    terminal.open(at9600);
    device.sends(2);
    await clock.advance(10);
    terminal.wired.close();
    device.sends(3);
    await clock.advance(10);
    expect(transmitted).toEqual([
      [[1], false],
      [[2], true],
      [[3], false],
    ]);
    expect([...terminal.bytes]).toEqual([2]);
  });

  it('loses what the host had not sent when it closed', async () => {
    const { clock, device, terminal } = wired();
    terminal.open(at9600);
    terminal.wired.send(new Uint8Array(100));
    await clock.advance(10);
    terminal.wired.close();
    await clock.advance(1_000);
    expect(device.got.length).toBeLessThan(12);
  });

  it('fits any rate when the host has none of its own, also after the device changed its', async () => {
    const { clock, device, terminal } = wired({}, uartLink(74_880));
    terminal.open();
    device.sends(1, 2);
    device.link = uartLink(3_000_000, { parity: 'even' });
    device.sends(3, 4);
    terminal.wired.send(Uint8Array.of(5, 6));
    await clock.advance(10);
    expect([...terminal.bytes]).toEqual([1, 2, 3, 4]);
    expect(device.got).toEqual([5, 6]);
  });

  it('sends what was written before a change of rate at the old one', async () => {
    const { clock, device, terminal } = wired();
    terminal.open(at9600);
    device.sends(1, 2);
    device.link = uartLink(115_200);
    await clock.advance(10);
    expect([...terminal.bytes]).toEqual([1, 2]);
    device.sends(0x55, 0x55);
    await clock.advance(10);
    expect([...terminal.bytes]).not.toEqual([1, 2, 0x55, 0x55]);
  });

  it('lets the host change its rate while it is open', async () => {
    const { clock, device, terminal } = wired({}, uartLink(115_200));
    terminal.open(at9600);
    terminal.wired.open({ ...at9600, baudRate: 115_200 });
    device.sends(1, 2, 3);
    await clock.advance(10);
    expect([...terminal.bytes]).toEqual([1, 2, 3]);
  });

  it('masks the eighth bit where both ends have seven', async () => {
    const { clock, device, terminal } = wired({}, uartLink(9_600, { dataBits: 7, parity: 'odd' }));
    terminal.open({ ...at9600, dataBits: 7, parity: 'odd' });
    device.sends(0x41, 0xc1);
    await clock.advance(10);
    expect([...terminal.bytes]).toEqual([0x41, 0x41]);
  });

  it('asks a device for more when little of what it wrote is left', async () => {
    const { clock, device, terminal } = wired();
    const asked: number[] = [];
    Object.assign(device, { writable: () => asked.push(device.line?.pending ?? -1) });
    terminal.open(at9600);
    device.sends(1, 2, 3);
    await clock.advance(10);
    expect(asked).toEqual([]);
    device.line?.write(new Uint8Array(3_000));
    await clock.advance(5_000);
    expect(asked.length).toBe(1);
    expect(asked[0]).toBeLessThanOrEqual(lowWater);
  });

  it('reports bytes in bad frames to a device that wants to know, and gives them to one that does not', async () => {
    const { clock, device, terminal } = wired({}, uartLink(9_600, { parity: 'even' }));
    terminal.open({ ...at9600, parity: 'odd' });
    terminal.wired.send(Uint8Array.of(1, 2));
    await clock.advance(10);
    expect(device.damaged).toEqual(['parity', 'parity']);
    expect(device.got).toEqual([]);
    Object.assign(device, { receiveDamaged: undefined });
    terminal.wired.send(Uint8Array.of(1, 2));
    await clock.advance(10);
    expect(device.got).toEqual([1, 2]);
  });

  it('is dead when detached: nothing arrives any more, and no timer is left', async () => {
    const { clock, device, terminal } = wired({ faults: { toHost: { delay: 5 }, toDevice: { delay: 5 } } });
    terminal.open(at9600);
    const { line } = device;
    device.sends(1, 2);
    terminal.wired.send(Uint8Array.of(1, 2));
    await clock.advance(3);
    terminal.wired.detach();
    line?.write(Uint8Array.of(3));
    terminal.wired.send(Uint8Array.of(3));
    expect(clock.pending).toBe(0);
    await clock.advance(1_000);
    expect([...terminal.bytes]).toEqual([]);
    expect(device.got).toEqual([]);
  });
});
