import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { SimulatedUsb } from '../../usb/simulated-usb.ts';
import type { SimulatedUsbDevice } from '../../usb/usb-device.ts';
import { stmFirmware } from '../firmware.ts';
import { stmUsbPartNames } from '../options.ts';
import { StmDfuBoard, type StmDfuOptions } from './stm-dfu-board.ts';

const classRequest = (request: number, value = 0) =>
  ({ requestType: 'class', recipient: 'interface', request, value, index: 0 }) as const;

async function board(options: Partial<StmDfuOptions> = {}) {
  const clock = new VirtualClock(1_000);
  const made = new StmDfuBoard({ part: 'stm32f407', clock, pace: 'none', ...options });
  const events: string[] = [];
  made.usb.onconnect = ({ device }) => events.push(`connect ${device === made.device}`);
  made.usb.addEventListener('disconnect', () => events.push('disconnect'));
  return { clock, board: made, events, device: deviceOf(made) };
}

function deviceOf({ device }: StmDfuBoard): SimulatedUsbDevice {
  if (device === null) {
    throw new Error('a device was expected on the bus');
  }
  return device;
}

async function claimed(device: SimulatedUsbDevice): Promise<void> {
  await device.open();
  await device.claimInterface(0);
}

const out = (device: SimulatedUsbDevice, request: number, value: number, ...bytes: readonly number[]) =>
  device.controlTransferOut(classRequest(request, value), Uint8Array.from(bytes));

async function status(device: SimulatedUsbDevice): Promise<number[]> {
  const { data } = await device.controlTransferIn(classRequest(3), 6);
  return data === undefined ? [] : Array.from(new Uint8Array(data.buffer));
}

const nameOf = async (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof Error || error instanceof DOMException ? error.name : String(error)),
  );

describe('a part on USB', () => {
  it.each(stmUsbPartNames)('%s has the descriptors that were recorded from hardware', async (part) => {
    const { device } = await board({ part });
    expect([device.vendorId, device.productId, device.productName]).toEqual([0x0483, 0xdf11, 'STM32  BOOTLOADER']);
    expect(device.serialNumber).toMatch(/^[0-9A-F]{12}$/);
    const [configuration] = device.configurations;
    const names = configuration?.interfaces[0]?.alternates.map(({ interfaceName }) => interfaceName);
    expect(names?.[0]).toMatch(/^@Internal Flash {2,3}\/0x08000000\//);
    expect(names?.[1]).toMatch(/^@Option Bytes/);
  });

  it('has the descriptors of the DFU class, with the size of a transfer', async () => {
    const { device } = await board();
    await device.open();
    const ask = (value: number, index = 0) =>
      device.controlTransferIn({ requestType: 'standard', recipient: 'device', request: 6, value, index }, 255);
    const read = async (value: number, index?: number) =>
      new Uint8Array((await ask(value, index)).data?.buffer ?? new ArrayBuffer(0));
    expect(Array.from(await read(0x0100))).toEqual([
      18, 1, 0, 1, 0, 0, 0, 64, 0x83, 0x04, 0x11, 0xdf, 0, 0x22, 1, 2, 3, 1,
    ]);
    const configuration = await read(0x0200);
    expect(configuration.length).toBe((configuration[3] ?? 0) * 256 + (configuration[2] ?? 0));
    expect(Array.from(configuration.slice(9, 18))).toEqual([9, 4, 0, 0, 0, 0xfe, 1, 2, 4]);
    expect(Array.from(configuration.slice(-9))).toEqual([9, 0x21, 0x0b, 255, 0, 0, 8, 0x1a, 1]);
    const name = await read(0x0304, 0x0409);
    expect(new TextDecoder('utf-16le').decode(name.subarray(2))).toBe(
      '@Internal Flash  /0x08000000/04*016Kg,01*064Kg,07*128Kg',
    );
    expect(await ask(0x0399)).toEqual({ status: 'stall' });
  });

  it('wants to be opened and claimed before it answers', async () => {
    const { device } = await board();
    expect(await nameOf(status(device))).toBe('InvalidStateError');
    await device.open();
    expect(await nameOf(status(device))).toBe('InvalidStateError');
    await device.claimInterface(0);
    expect(await status(device)).toEqual([0, 0, 0, 0, 2, 0]);
    expect(device.configuration?.interfaces[0]?.claimed).toBe(true);
    await device.selectAlternateInterface(0, 1);
    expect(device.configuration?.interfaces[0]?.alternate.interfaceName).toMatch(/^@Option/);
    expect(await nameOf(device.selectAlternateInterface(0, 7))).toBe('NotFoundError');
    expect(await nameOf(device.claimInterface(1))).toBe('NotFoundError');
    expect(await nameOf(device.transferIn(1, 64))).toBe('NotFoundError');
  });

  it('is chosen by filters', async () => {
    const usb = new SimulatedUsb((devices) => devices.at(-1) ?? null);
    const { device } = await board({ usb, permission: false });
    expect(await usb.getDevices()).toEqual([]);
    const request = (filter: object) => nameOf(usb.requestDevice({ filters: [filter] }));
    expect(await request({ vendorId: 1 })).toBe('NotFoundError');
    expect(await request({ productId: 1 })).toBe('TypeError');
    expect(await usb.requestDevice({ filters: [{ vendorId: 0x0483, classCode: 0xfe }] })).toBe(device);
    expect(await usb.getDevices()).toEqual([device]);
    await device.forget();
    expect(await usb.getDevices()).toEqual([]);
  });

  it('leaves the bus for its program, and comes back as another device by BOOT0 and reset', async () => {
    const text = 'over usb';
    const {
      board: made,
      clock,
      device,
      events,
    } = await board({ content: [{ address: 0x0800_0000, data: stmFirmware({ text }) }] });
    await claimed(device);
    await out(device, 1, 0);
    expect((await status(device))[4]).toBe(7);
    await clock.advance(10);
    expect([made.state, made.program, made.device]).toEqual(['running', { text, baudRate: 115_200 }, null]);
    expect(await nameOf(status(device))).toBe('NotFoundError');
    made.pressReset();
    await clock.advance(1_000);
    expect(made.state).toBe('bootloader');
    expect(deviceOf(made)).not.toBe(device);
    expect(events).toEqual(['disconnect', 'connect true']);
  });

  it('comes back as a bootloader when it leaves for empty flash', async () => {
    const { board: made, clock, device, events } = await board({ content: 'empty' });
    await claimed(device);
    await out(device, 1, 0);
    await status(device);
    await clock.advance(1_000);
    expect([made.state, events]).toEqual(['bootloader', ['disconnect', 'connect true']]);
  });

  it('restarts when read protection goes', async () => {
    const { board: made, clock, device, events } = await board({ protection: 1, profile: 'real-flash' });
    await claimed(device);
    await out(device, 1, 0, 0x92);
    expect(await status(device)).toEqual([0, 0x80, 0x3e, 0, 4, 0]);
    await clock.advance(15_000);
    expect([made.protection, events]).toEqual([1, []]);
    await clock.advance(2_000);
    expect([made.protection, made.flash.read(0, 1)[0], events]).toEqual([0, 0xff, ['disconnect', 'connect true']]);
  });

  it('fails the running transfer with a NetworkError when it is pulled', async () => {
    const { board: made, clock, device, events } = await board({ pace: 'wire' });
    await claimed(device);
    const transfer = nameOf(status(device));
    await clock.advance(0.5);
    made.unplug();
    expect(await transfer).toBe('NetworkError');
    expect(made.state).toBe('off');
    made.replug();
    await clock.advance(0);
    expect(events).toEqual(['disconnect', 'connect true']);
  });

  it('runs its program where BOOT0 is low', async () => {
    const clock = new VirtualClock();
    const made = new StmDfuBoard({ part: 'stm32f072', clock, boot0: false });
    expect([made.state, made.device]).toEqual(['running', null]);
  });

  it('takes transfers one after the other, each with its time', async () => {
    const { clock, device } = await board({ pace: 'wire' });
    await claimed(device);
    const done: string[] = [];
    void out(device, 1, 2, ...new Array<number>(2_048).fill(0)).then(() => done.push('data'));
    void status(device).then(([, , , , state]) => done.push(`state ${state}`));
    await clock.advance(2.6);
    expect(done).toEqual([]);
    await clock.advance(0.2);
    expect(done).toEqual(['data']);
    await clock.advance(1.2);
    expect(done).toEqual(['data', 'state 4']);
  });
});

describe('a fault on USB', () => {
  it('error-answer stalls, late-answer waits, hang lasts until a reset', async () => {
    const stalled = await board({ faults: [{ at: 'dfu-download', kind: 'error-answer' }] });
    await claimed(stalled.device);
    expect((await out(stalled.device, 1, 0, 0x41)).status).toBe('stall');
    expect(await status(stalled.device)).toEqual([0x0f, 0, 0, 0, 10, 0]);
    const late = await board({ faults: [{ at: 'dfu-status', kind: 'late-answer', delay: 300 }] });
    await claimed(late.device);
    let answered = false;
    void status(late.device).then(() => {
      answered = true;
    });
    await late.clock.advance(299);
    expect(answered).toBe(false);
    await late.clock.advance(2);
    expect(answered).toBe(true);
    const hung = await board({ faults: [{ at: 'dfu-upload', kind: 'hang' }] });
    await claimed(hung.device);
    const never = nameOf(hung.device.controlTransferIn(classRequest(2, 2), 64));
    hung.board.pressReset();
    expect(await never).toBe('NetworkError');
    await hung.clock.advance(1_000);
    expect(hung.board.state).toBe('bootloader');
  });

  it('unplug strikes in the middle of an erase, and the board comes back', async () => {
    const data = new Uint8Array(16_384);
    const {
      board: made,
      clock,
      device,
    } = await board({
      profile: 'real-flash',
      content: [{ address: 0x0800_0000, data }],
      faults: [{ at: 'dfu-busy', kind: 'unplug', replugAfter: 100 }],
    });
    await claimed(device);
    await out(device, 1, 0, 0x41, 0, 0, 0, 0x08);
    await status(device);
    await clock.advance(201);
    expect(made.state).toBe('off');
    expect(new Set(made.flash.read(0, 16_384)).size).toBeGreaterThan(50);
    await clock.advance(100);
    expect(made.state).toBe('bootloader');
  });
});
