/** I2C0 as seen by a host through the ROM's register commands, with the parts of the lab board. */
import { describe, expect, it } from 'vitest';
import { labBreadboard } from '../../breadboard/lab-breadboard.ts';
import { gate, gateC3, LabRig, output, outputC3, type TestEntry } from '../testing/lab-rig.ts';

/** ESP32: SDA 21, SCL 22 at 100 kHz. */
const i2cUp: TestEntry[] = [
  ...gate(7),
  [0x3ff44008, 3 << 21],
  [0x3ff440dc, 4],
  [0x3ff440e0, 4],
  ...output(21, 0x7c, 30),
  ...output(22, 0x80, 29),
  [0x3ff441a8, 0x80 | 21],
  [0x3ff441a4, 0x80 | 22],
  [0x3ff53004, 0x113],
  ...[0x00, 0x38, 0x40, 0x44, 0x48, 0x4c].map((at): TestEntry => [0x3ff53000 + at, 200]),
  [0x3ff53030, 100],
  [0x3ff53034, 100],
  [0x3ff5300c, 4_000],
];
const probe = (address: number): TestEntry[] => [
  [0x3ff53018, 0x3000, 0x3400],
  [0x3ff53018, 0, 0x3000],
  [0x3ff53058, 0],
  [0x3ff5305c, 0x901],
  [0x3ff53060, 0x1800],
  [0x3ff53024, 0x7ff],
  [0x6001301c, address << 1],
  [0x3ff53004, 0x133],
];
const raw = 0x3ff53020;

describe('I2C', () => {
  it('finds the parts of the board and no others', async () => {
    const rig = await LabRig.open('esp32', labBreadboard('esp32'));
    await rig.write(...i2cUp);
    const found: number[] = [];
    for (let address = 8; address < 0x78; address++) {
      await rig.write(...probe(address), [0x3ff53028, 0, 0xffffffff, 150]);
      if ((await rig.read(raw)) === 0x80) {
        found.push(address);
      }
    }
    expect(found).toEqual([0x3c, 0x48, 0x50, 0x68, 0x76]);
  });

  it('sends a byte that comes while SCL waits for it, and counts the rest of the FIFO', async () => {
    const rig = await LabRig.open('esp32', labBreadboard('esp32'));
    // The address and three bytes, but only two bytes are in the FIFO.
    await rig.write(...i2cUp, ...probe(0x50).slice(0, 3), [0x3ff5305c, 0x904], [0x3ff53060, 0x1800]);
    await rig.write([0x3ff53024, 0x7ff], [0x6001301c, 0xa0], [0x6001301c, 1], [0x3ff53004, 0x133]);
    await rig.host.clock.advance(5);
    expect((await rig.read(raw)) & 0x80).toBe(0);
    expect((await rig.read(0x3ff53008)) & (63 << 18)).toBe(0);
    await rig.write([0x6001301c, 2], [0x6001301c, 0x77]);
    await rig.host.clock.advance(5);
    expect((await rig.read(raw)) & 0x80).toBe(0x80);
    await rig.host.clock.advance(6);
    expect(rig.board.eeprom.content[0x102]).toBe(0x77);
  });

  it('takes the time of its bits, nine a byte, from the dividers', async () => {
    const rig = await LabRig.open('esp32', labBreadboard('esp32'));
    const scl = rig.board.capture(22);
    await rig.write(...i2cUp, ...probe(0x76));
    await rig.host.clock.advance(1);
    const rising = scl
      .edges()
      .filter(({ level }) => level === 1)
      .map(({ time }) => time);
    expect(rising.slice(-10)).toHaveLength(10);
    expect((rising.at(-2) ?? 0) - (rising.at(-10) ?? 0)).toBeCloseTo(0.08, 4);
  });

  it('is not ready before the bus time is over', async () => {
    const rig = await LabRig.open('esp32', labBreadboard('esp32'));
    await rig.write(...i2cUp);
    await rig.write(...probe(0x76), [0x3ff53028, 0, 0xffffffff, 50]);
    // `write` waits a millisecond after the list. The list itself contains the read that matters.
    expect(await rig.read(raw)).toBe(0x80);
    const slow = i2cUp.map(
      ([address, value, ...rest]): TestEntry => [address, value === 200 ? 0x3fff : value, ...rest],
    );
    await rig.write(...slow, ...probe(0x76));
    expect(await rig.read(raw)).toBe(0);
  });

  it('loses the arbitration while SDA is held, until nine clocks have set the target free', async () => {
    const board = labBreadboard('esp32');
    const rig = await LabRig.open('esp32', board);
    await rig.write(...i2cUp);
    board.stickBus();
    await rig.write(...probe(0x76), [0x3ff53028, 0, 0xffffffff, 150]);
    expect(await rig.read(raw)).toBe(0x20);
    const clocks = Array.from({ length: 9 }, (): TestEntry[] => [
      [0x3ff4400c, 2 ** 22],
      [0x3ff44008, 2 ** 22, 0xffffffff, 5],
    ]);
    await rig.write([0x3ff44588, 0x100], ...clocks.flat(), [0x3ff44588, 29]);
    await rig.write(...probe(0x76), [0x3ff53028, 0, 0xffffffff, 150]);
    expect(await rig.read(raw)).toBe(0x80);
  });

  it('gives up a bus whose clock is held, after the time-out', async () => {
    const board = labBreadboard('esp32');
    const rig = await LabRig.open('esp32', board);
    await rig.write(...i2cUp);
    board.shortToGround(22);
    await rig.write(...probe(0x76), [0x3ff53028, 0, 0xffffffff, 150]);
    expect(await rig.read(raw)).toBe(0x100);
  });

  it('does nothing on the ESP32-C3 before its settings are taken over', async () => {
    const rig = await LabRig.open('esp32c3', labBreadboard('esp32c3'));
    const up: TestEntry[] = [
      ...gateC3(7),
      [0x60004008, 0x60],
      [0x60004088, 4],
      [0x6000408c, 4],
      ...outputC3(5, 54),
      ...outputC3(6, 53),
      [0x6000422c, 0x45],
      [0x60004228, 0x46],
      [0x60013054, 0x200000],
      [0x60013004, 0x313],
      ...[0x00, 0x38, 0x40, 0x44, 0x48, 0x4c].map((at): TestEntry => [0x60013000 + at, 199]),
      [0x60013030, 100],
      [0x60013058, 0x3000],
      [0x6001305c, 0x901],
      [0x60013060, 0x1000],
    ];
    await rig.write(...up, [0x6001301c, 0xec], [0x60013004, 0x333]);
    expect(await rig.read(0x60013020)).toBe(0);
    await rig.write([0x60013004, 0xb33]);
    expect(await rig.read(0x60013020)).toBe(0x80);
  });

  it('loses writes at the read address of the ESP32’s FIFO, and pops a received byte per write', async () => {
    const rig = await LabRig.open('esp32', labBreadboard('esp32'));
    await rig.write(...i2cUp, [0x3ff5301c, 0xec]);
    expect((await rig.read(0x3ff53008)) >>> 18).toBe(0);
    // The id of the BME280, then a byte for the next transfer, which pops it.
    const readId: TestEntry[] = [
      ...probe(0).slice(0, 2),
      [0x3ff53058, 0],
      [0x3ff5305c, 0x902],
      [0x3ff53060, 0],
      [0x3ff53064, 0x901],
      [0x3ff53068, 0x1401],
      [0x3ff5306c, 0x1800],
      [0x6001301c, 0xec],
      [0x6001301c, 0xd0],
      [0x6001301c, 0xed],
      [0x3ff53004, 0x133],
      // The ROM waits only 0.325 times as long.
      [0x3ff53028, 0, 0xffffffff, 1_900],
    ];
    await rig.write(...readId);
    expect(((await rig.read(0x3ff53008)) >> 8) & 0x3f).toBe(1);
    expect(await rig.read(0x3ff5301c)).toBe(0x60);
    await rig.write(...readId, [0x6001301c, 0]);
    expect(((await rig.read(0x3ff53008)) >> 8) & 0x3f).toBe(0);
  });
});
