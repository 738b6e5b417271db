import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { words32 } from '../byte-fields.ts';
import type { SimulatedUsbDevice } from '../usb/usb-device.ts';
import { rpFirmware } from './firmware.ts';
import { RpBoard, type RpBoardOptions } from './rp-board.ts';
import { Picotool } from './testing/picotool.ts';
import { uf2Of } from './testing/uf2.ts';

const armFamily = 0xe48b_ff59;
const riscvFamily = 0xe48b_ff5a;
const absoluteFamily = 0xe48b_ff57;
const base = 0x1000_0000;

async function rig(options: Partial<RpBoardOptions> = {}) {
  const clock = new VirtualClock(1_000);
  const board = new RpBoard({ chip: 'rp2350', clock, pace: 'none', bootsel: true, content: 'empty', ...options });
  await clock.advance(1_000);
  board.holdBootsel(false);
  const device = deviceOf(board);
  return { clock, board, device, tool: await Picotool.open(device, clock) };
}

function deviceOf({ device }: RpBoard): SimulatedUsbDevice {
  if (device === null) {
    throw new Error('a device was expected on the bus');
  }
  return device;
}

/** Copies a UF2 to the drive sector by sector, as a system does. */
async function copy({ board, clock }: Awaited<ReturnType<typeof rig>>, file: Uint8Array<ArrayBuffer>): Promise<void> {
  const written = board.blocks?.write(4_000, file);
  await clock.advance(100);
  await written;
  await clock.advance(2_000);
}

interface PartitionFields {
  readonly from: number;
  readonly to: number;
  readonly flags: number;
  readonly permissions?: number;
}

const everything = 0xfc00_0000;
const flag = {
  rp2040: 0x4000,
  absolute: 0x8000,
  data: 0x1_0000,
  arm: 0x2_0000,
  riscv: 0x4_0000,
  quiet: 0x2000,
} as const;

/** Returns a block with a partition table (RP2350 datasheet, section 5.9.4). Sectors are of 4 KiB, `to` is included. */
function tableBlock(unpartitioned: number, partitions: readonly PartitionFields[]): Uint8Array {
  const words = partitions.flatMap(({ from, to, flags, permissions = everything }) => [
    (permissions | (to << 13) | from) >>> 0,
    (permissions | flags) >>> 0,
  ]);
  const size = 2 + words.length;
  return words32(
    0xffff_ded3,
    0x0a | (size << 8) | (partitions.length << 24),
    (everything | unpartitioned) >>> 0,
    ...words,
    0xff | (size << 8),
    0,
    0xab12_3579,
  );
}

describe('an RP2350 in BOOTSEL', () => {
  it('has ids, texts and a serial number of its own', async () => {
    const { device } = await rig();
    expect([device.vendorId, device.productId, device.productName]).toEqual([0x2e8a, 0x000f, 'RP2350 Boot']);
    expect(device.serialNumber).toMatch(/^[0-9A-F]{16}$/);
    expect((await rig({ seed: 2 })).device.serialNumber).not.toBe(device.serialNumber);
  });

  it('offers WinUSB to Windows by BOS and the descriptor set', async () => {
    const { device } = await rig();
    const bos = await device.controlTransferIn(
      { requestType: 'standard', recipient: 'device', request: 6, value: 0x0f00, index: 0 },
      255,
    );
    const set = await device.controlTransferIn(
      { requestType: 'vendor', recipient: 'device', request: 1, value: 0, index: 7 },
      255,
    );
    expect([bos.data?.byteLength, set.data?.byteLength]).toEqual([33, 166]);
    expect(new TextDecoder().decode(set.data)).toContain('WINUSB');
  });

  it('carries a maker’s white label', async () => {
    const whiteLabel = {
      vendorId: 0x1209,
      productId: 0xabcd,
      product: 'Widget',
      volumeLabel: 'WIDGET',
      boardId: 'W-1',
    };
    const { board, device } = await rig({ whiteLabel });
    expect([device.vendorId, device.productId, device.productName]).toEqual([0x1209, 0xabcd, 'Widget']);
    expect(device.configuration?.interfaces[1]?.alternate.interfaceClass).toBe(0xff);
    const info = await (await board.drive.getFileHandle('INFO_UF2.TXT')).getFile();
    expect(await info.text()).toBe('UF2 Bootloader v1.0\nModel: Raspberry Pi RP2350\nBoard-ID: W-1\n');
    expect(board.drive.name).toBe('WIDGET');
  });

  it('is erased, written, read and restarted by REBOOT2', async () => {
    const { board, tool, clock } = await rig();
    const image = rpFirmware({ text: 'on a Pico 2\r\n', kind: 'plain', chip: 'rp2350', size: 5_000 });
    await tool.exclusive(1);
    await tool.exitXip();
    await tool.erase(base, 8_192);
    await tool.write(base, image);
    expect(await tool.read(base, image.length)).toEqual(image);
    await tool.reboot2(0, 500);
    await clock.advance(1_500);
    expect([board.state, board.program?.text]).toEqual(['running', 'on a Pico 2\r\n']);
  });

  it('returns to BOOTSEL by REBOOT2 of that type', async () => {
    const { board, tool, clock, device } = await rig({ content: 'factory' });
    await tool.reboot2(2, 100);
    await clock.advance(1_500);
    expect([board.state, board.device === device]).toEqual(['bootsel', false]);
  });

  it.each([
    ['an erase that is not aligned', 0x03, [0x00, 0x01, 0, 0x10, 0, 0x10, 0, 0], 5],
    ['an erase of RAM', 0x03, [0, 0, 0, 0x20, 0, 0x10, 0, 0], 4],
    ['an erase beyond 32 MiB', 0x03, [0, 0, 0, 0x12, 0, 0x10, 0, 0], 4],
    ['REBOOT of the RP2040', 0x02, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1],
    ['EXEC', 0x08, [0, 0, 0, 0x20], 1],
    ['an unknown command', 0x0f, [], 1],
  ] as const)('refuses %s with a status, and halts both endpoints', async (_, id, args, code) => {
    const { tool, device } = await rig();
    await tool.exitXip();
    await tool.command(id, args, 0);
    expect((await device.transferIn(4, 64)).status).toBe('stall');
    expect((await device.transferOut(3, new Uint8Array(32))).status).toBe('stall');
    expect((await tool.status()).code).toBe(code);
  });

  it('halts IN too after a write that fails at its last chunk', async () => {
    const { tool, device } = await rig();
    await tool.exitXip();
    await tool.command(0x05, [1, 0, 0, 0x10, 64, 0, 0, 0], 64);
    await device.transferOut(3, new Uint8Array(64));
    expect((await device.transferIn(4, 64)).status).toBe('stall');
    expect((await tool.status()).code).toBe(5);
  });

  it('tells about the system, and refuses an answer that has no room', async () => {
    const { tool, device } = await rig();
    const words = await tool.info(1, 0x01 | 0x04 | 0x08, 64);
    expect([words[0], words[1], words[2]]).toEqual([6, 0x0d, 1]);
    const id = [words[4], words[3]].map((word) => (word ?? 0).toString(16).toUpperCase().padStart(8, '0'));
    expect(id.join('')).toBe(device.serialNumber);
    await expect(tool.info(1, 0x01, 12)).rejects.toThrow();
    expect((await tool.status()).code).toBe(12);
  });

  it('reads and writes OTP, whose bits are set for ever', async () => {
    const { tool } = await rig();
    await tool.otpWrite(0x100, [0x00ff, 0x1200]);
    await tool.otpWrite(0x100, [0x0f00, 0x0034]);
    expect(await tool.otpRead(0x100, 2)).toEqual([0x0fff, 0x1234]);
  });
});

describe('the drive of an RP2350', () => {
  const image = rpFirmware({ text: 'copied\r\n', kind: 'plain', chip: 'rp2350', size: 9_000 });

  it.each([
    ['ARM', armFamily, true],
    ['RISC-V', riscvFamily, true],
    ['ABSOLUTE', absoluteFamily, true],
    ['RP2040', 0xe48b_ff56, false],
    ['data', 0xe48b_ff58, true],
  ] as const)('takes %s without a partition table: %#', async (_, family, isTaken) => {
    const test = await rig();
    await copy(test, uf2Of(image, { family }));
    expect([test.board.flash.programmedBytes > 0, test.board.state]).toEqual([
      isTaken,
      isTaken ? 'running' : 'bootsel',
    ]);
    if (!isTaken) {
      expect((await test.tool.info(4, 0, 20))[1]).toBe(1);
    }
  });

  it('erases by address: a file that begins inside a sector loses nothing', async () => {
    const old = new Uint8Array(16_384).fill(0x55);
    const test = await rig({ content: [{ offset: 0, data: old }] });
    const data = new Uint8Array(8_192).fill(0xaa);
    await copy(test, uf2Of(data, { family: armFamily, address: base + 2_048 }));
    expect(test.board.flash.read(2_048, 8_192)).toEqual(data);
  });

  it('keeps the block of erratum E10 apart from the program that follows', async () => {
    const test = await rig();
    const extra = uf2Of(new Uint8Array(256), { family: absoluteFamily, address: base + 0xff_ff00 });
    new DataView(extra.buffer).setUint32(24, 2, true);
    const program = uf2Of(image, { family: armFamily });
    await copy(test, Uint8Array.from([...extra, ...program]));
    expect(test.board.program?.text).toBe('copied\r\n');
  });

  it('puts a family into its partition, and starts it there', async () => {
    const table = tableBlock(flag.absolute, [
      { from: 2, to: 63, flags: flag.arm },
      { from: 64, to: 127, flags: flag.data | flag.quiet },
    ]);
    const test = await rig({ content: [{ offset: 0, data: table }] });
    expect(await test.tool.info(3, armFamily, 16)).toEqual([3, 0, 0xfc07_e002, 0xfc02_0000]);
    expect((await test.tool.info(3, riscvFamily, 16))[1]).toBe(0xffff_ffff);
    await copy(test, uf2Of(new Uint8Array(512).fill(9), { family: 0xe48b_ff58 }));
    expect([test.board.flash.read(64 * 4_096, 2), test.board.state]).toEqual([Uint8Array.of(9, 9), 'bootsel']);
    await copy(test, uf2Of(image, { family: armFamily }));
    expect(test.board.flash.read(2 * 4_096, image.length)).toEqual(image);
    expect(test.board.program?.text).toBe('copied\r\n');
  });

  it('lists partitions, and does not let PICOBOOT write where a partition forbids it', async () => {
    const readOnly = 0x5400_0000;
    const table = tableBlock(flag.absolute, [{ from: 2, to: 3, flags: flag.arm, permissions: readOnly }]);
    const { tool } = await rig({ content: [{ offset: 0, data: table }] });
    expect(await tool.info(2, 0x11, 64)).toEqual([
      6,
      0x11,
      0x101,
      0xffff_e000,
      0xfc00_8000,
      0x5400_6002,
      0x5402_0000,
      ...new Array<number>(9).fill(0),
    ]);
    await tool.exitXip();
    await expect(tool.erase(base + 2 * 4_096, 4_096)).rejects.toThrow();
    expect((await tool.status()).code).toBe(10);
    await tool.reset();
    await tool.exitXip();
    await tool.erase(base + 4 * 4_096, 4_096);
  });
});

describe('the partition table that an RP2350 keeps in RAM', () => {
  const dataFamily = 0xe48b_ff58;
  const readOnly = 0x5400_0000;
  const own = tableBlock(flag.absolute, [{ from: 2, to: 63, flags: flag.arm }]);
  const other = tableBlock(flag.absolute, [{ from: 2, to: 31, flags: flag.arm }]);
  const getTable = 0x01;
  const getFirst = 0x80f1;

  async function rigWith(table: Uint8Array | null) {
    const test = await rig(table === null ? {} : { content: [{ offset: 0, data: table }] });
    await test.tool.exitXip();
    return test;
  }

  async function replace({ tool }: Awaited<ReturnType<typeof rig>>, table: Uint8Array | null): Promise<void> {
    await tool.erase(base, 4_096);
    if (table !== null) {
      const page = new Uint8Array(256).fill(0xff);
      page.set(table);
      await tool.write(base, page);
    }
  }

  /** Returns the status with which a command ends, and leaves the interface ready for the next one. */
  async function statusOf({ tool }: Awaited<ReturnType<typeof rig>>, command: Promise<unknown>): Promise<number> {
    await command.catch(() => undefined);
    const { code } = await tool.status();
    await tool.reset();
    await tool.exitXip();
    return code;
  }

  it.each([
    ['erased flash', null, 15],
    ['a table of the same size', other, 14],
    [
      'a table of another size',
      tableBlock(0, [
        { from: 2, to: 3, flags: 0 },
        { from: 4, to: 5, flags: 0 },
      ]),
      15,
    ],
    ['zeros', new Uint8Array(256), 14],
  ] as const)('lets GET_INFO refuse %s in its place, with any flags', async (_, table, code) => {
    const test = await rigWith(own);
    await replace(test, table);
    expect(await statusOf(test, test.tool.info(2, getTable, 256))).toBe(code);
    expect(await statusOf(test, test.tool.info(2, getFirst, 256))).toBe(code);
    expect(await statusOf(test, test.tool.info(2, 0, 256))).toBe(code);
  });

  it('lets GET_INFO refuse erased flash for lack of room when it reads as several partitions with names', async () => {
    const partitions = [2, 4, 6].map((from) => ({ from, to: from + 1, flags: flag.arm }));
    const test = await rigWith(tableBlock(flag.absolute, partitions));
    await replace(test, null);
    expect(await statusOf(test, test.tool.info(2, 0xf0, 256))).toBe(12);
    expect(await statusOf(test, test.tool.info(2, getFirst, 256))).toBe(15);
  });

  it('is reported again once the same partitions are back, with the unpartitioned space of the start', async () => {
    const test = await rigWith(own);
    const before = await test.tool.info(2, getTable | 0x10, 256);
    await replace(test, tableBlock(flag.absolute | flag.data, [{ from: 2, to: 63, flags: flag.arm }]));
    expect(await test.tool.info(2, getTable | 0x10, 256)).toEqual(before);
  });

  it('stays empty when a first table is written, until the board starts in BOOTSEL again', async () => {
    const test = await rigWith(null);
    const none = [4, 1, 0, 0xffff_e000, 0xfc07_8000];
    expect(await test.tool.info(2, getTable, 20)).toEqual(none);
    await replace(test, own);
    expect(await test.tool.info(2, getTable, 20)).toEqual(none);
    expect(await test.tool.info(3, armFamily, 16)).toEqual([3, 0xff, 0xffff_e000, 0xfc07_8000]);
    await test.tool.reboot2(2, 100);
    await test.clock.advance(1_500);
    const tool = await Picotool.open(deviceOf(test.board), test.clock);
    expect((await tool.info(2, getTable, 20))[2]).toBe(0x101);
    expect((await tool.info(3, armFamily, 16))[1]).toBe(0);
  });

  it('has the families of a table without partitions from RAM', async () => {
    const test = await rigWith(tableBlock(flag.data, []));
    await replace(test, null);
    expect(await test.tool.info(2, getTable, 20)).toEqual([4, 1, 0x100, 0xffff_e000, 0xfc01_0000]);
    expect((await test.tool.info(3, dataFamily, 16))[1]).toBe(0xff);
  });

  it('decides about permissions after it was erased, and a new table in flash does not', async () => {
    const test = await rigWith(tableBlock(flag.absolute, [{ from: 2, to: 3, flags: flag.arm, permissions: readOnly }]));
    await replace(test, tableBlock(flag.absolute, [{ from: 4, to: 5, flags: flag.arm, permissions: readOnly }]));
    expect(await statusOf(test, test.tool.erase(base + 2 * 4_096, 4_096))).toBe(10);
    expect(await statusOf(test, test.tool.erase(base + 4 * 4_096, 4_096))).toBe(0);
  });

  it('permits what both words of a partition permit, and the first of two that overlap decides', async () => {
    const table = tableBlock(flag.absolute, [
      { from: 2, to: 3, flags: flag.arm },
      { from: 2, to: 9, flags: flag.arm, permissions: readOnly },
      { from: 10, to: 11, flags: flag.arm },
    ]);
    // The last partition's flags do not permit a write, its location does.
    new DataView(table.buffer).setUint32(4 * 8, (readOnly | flag.arm) >>> 0, true);
    const test = await rigWith(table);
    expect(await statusOf(test, test.tool.erase(base + 3 * 4_096, 4_096))).toBe(0);
    expect(await statusOf(test, test.tool.erase(base + 4 * 4_096, 4_096))).toBe(10);
    expect(await statusOf(test, test.tool.erase(base + 10 * 4_096, 4_096))).toBe(10);
  });

  it('gives no family a place after it was erased, but ABSOLUTE', async () => {
    const test = await rigWith(own);
    await replace(test, null);
    expect(await test.tool.info(3, armFamily, 16)).toEqual([3, 0xffff_ffff, 0, 0]);
    expect((await test.tool.info(3, absoluteFamily, 16))[1]).toBe(0xff);
    const image = rpFirmware({ text: 'absolute\r\n', kind: 'plain', chip: 'rp2350', size: 5_000 });
    await copy(test, uf2Of(image, { family: armFamily }));
    expect([(await test.tool.info(4, 0, 20))[1], test.board.state]).toEqual([1, 'bootsel']);
    expect(test.board.flash.read(2 * 4_096, 4)).toEqual(Uint8Array.of(255, 255, 255, 255));
    await copy(test, uf2Of(image, { family: absoluteFamily }));
    expect(test.board.program?.text).toBe('absolute\r\n');
  });

  it('takes programs to the start of flash after a first table was written', async () => {
    const test = await rigWith(null);
    await replace(test, own);
    const image = rpFirmware({ text: 'over the table\r\n', kind: 'plain', chip: 'rp2350', size: 5_000 });
    await copy(test, uf2Of(image, { family: armFamily }));
    expect(test.board.program?.text).toBe('over the table\r\n');
  });

  it('holds 16 partitions, and a table with more counts as none', async () => {
    const partitions = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ from: 2 + index, to: 2 + index, flags: flag.arm }));
    const countOf = async (count: number) =>
      (await (await rigWith(tableBlock(0, partitions(count)))).tool.info(2, getTable, 20))[2];
    expect([await countOf(16), await countOf(17)]).toEqual([0x110, 0]);
  });
});
