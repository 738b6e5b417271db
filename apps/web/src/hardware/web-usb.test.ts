import { VirtualClock } from '@wirebench/clock';
import { StmDfuBoard } from '@wirebench/devices';
import { stmUsbFilter } from '@wirebench/flasher/stm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasWebUsb } from './serial-support.ts';
import { browserUsb, devicesOn, isSameUsb, requestUsb, usbAt, usbGone, watchUsb } from './web-usb.ts';

describe('USB devices of this site', () => {
  let board: StmDfuBoard;
  beforeEach(() => {
    board = new StmDfuBoard({ part: 'stm32f407', clock: new VirtualClock(), permission: false });
    vi.stubGlobal('navigator', { usb: board.usb });
  });
  afterEach(() => vi.unstubAllGlobals());

  it('are picked once, and found again by their index', async () => {
    const place = await requestUsb([stmUsbFilter]);
    expect(place).toEqual({ index: 0, count: 1, ...stmUsbFilter });
    expect(place && (await usbAt(place))).toBe(board.device);
  });

  it('are null if nothing fits or the user picks none', async () => {
    expect(await requestUsb([{ vendorId: 1, productId: 2 }])).toBeNull();
  });

  it('cannot be had from a list that is old', async () => {
    const place = await requestUsb([stmUsbFilter]);
    board.unplug();
    expect(place && (await usbAt(place))).toBeUndefined();
  });

  it('report when they are unplugged, and are known again', async () => {
    await requestUsb([stmUsbFilter]);
    const [bus, before] = [browserUsb(), board.device];
    if (bus === null || before === null) {
      throw new Error('It is plugged in.');
    }
    const gone = usbGone(bus, before);
    expect(gone.aborted).toBe(false);
    board.replug();
    await vi.waitFor(() => expect(gone.aborted).toBe(true), 15_000);
    expect(board.device && isSameUsb(board.device, before)).toBe(true);
  });

  it('are seen within half a second once they are permitted, which fires no event', async () => {
    const clock = new VirtualClock();
    const list = devicesOn(board.usb, clock);
    expect(await list.list()).toEqual([]);
    const changed = list.changed(new AbortController().signal);
    await requestUsb([stmUsbFilter]);
    clock.advance(500);
    await changed;
    expect(await list.list()).toEqual([board.device]);
  });

  it('end a wait for a change with the reason of the signal', async () => {
    const abort = new AbortController();
    const changed = devicesOn(board.usb, new VirtualClock()).changed(abort.signal);
    abort.abort(new Error('stopped'));
    await expect(changed).rejects.toThrow('stopped');
  });

  it('are reported with their place when one of the ids is plugged in', async () => {
    await requestUsb([stmUsbFilter]);
    const places: unknown[] = [];
    watchUsb([{ vendorId: 1, productId: 2 }], () => places.push('another'));
    watchUsb([stmUsbFilter], async (findPlace) => places.push(await findPlace()));
    board.replug();
    await vi.waitFor(() => expect(places).toEqual([{ index: 0, count: 1, ...stmUsbFilter }]), 15_000);
  });

  it('are not to be had in a browser without WebUSB', async () => {
    vi.stubGlobal('navigator', {});
    expect(hasWebUsb()).toBe(false);
    expect(await requestUsb([stmUsbFilter])).toBeNull();
    expect(await usbAt({ index: 0, count: 1, ...stmUsbFilter })).toBeUndefined();
  });
});
