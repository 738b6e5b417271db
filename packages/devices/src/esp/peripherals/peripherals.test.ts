/**
 * Peripherals as seen by a host through the ROM's register commands. Sequences: Technical Reference Manuals, chapters
 * named in each file.
 */
import { describe, expect, it } from 'vitest';
import { Breadboard } from '../../breadboard/breadboard.ts';
import { labBreadboard } from '../../breadboard/lab-breadboard.ts';
import { SpiFlash } from '../../breadboard/parts/spi-flash.ts';
import { gate, gateC3, LabRig, output, outputC3, type TestEntry } from '../testing/lab-rig.ts';

describe('pins', () => {
  it('take their pulls from the RTC where it has the pad on an ESP32, else from IO_MUX', async () => {
    const rig = await LabRig.open('esp32', new Breadboard());
    await rig.write([0x3ff49048, 0x2b00, 0x7f80], [0x3ff49070, 0x2b00, 0x7f80]);
    expect((await rig.read(0x3ff4403c)) & 0x40010).toBe(0x40000);
    await rig.write([0x3ff48494, 2 ** 27, 0x18000000]);
    expect((await rig.read(0x3ff4403c)) & 0x10).toBe(0x10);
  });

  it('read 0 while their input is off', async () => {
    const rig = await LabRig.open('esp32', new Breadboard());
    rig.board.hold(18, 'high');
    expect((await rig.read(0x3ff4403c)) & 0x40000).toBe(0x40000);
    await rig.write([0x3ff49070, 0, 0x200]);
    expect((await rig.read(0x3ff4403c)) & 0x40000).toBe(0);
  });

  it('have registers of their own above 31, and never drive from 34 to 39', async () => {
    const rig = await LabRig.open('esp32', new Breadboard());
    await rig.write([0x3ff49014, 0x2a00], [0x3ff4901c, 0x2a00], [0x3ff44014, 0x5], [0x3ff44030, 0x5]);
    expect(await rig.read(0x3ff44040)).toBe(1);
    expect(rig.board.net(34).level(rig.board.now)).toBe(0);
  });

  it('leave a high level to the pull-up when open drain, and two on a wire give the AND', async () => {
    const rig = await LabRig.open('esp32c3', new Breadboard());
    rig.board.short(3, 4);
    rig.board.pullUp(3);
    const drain = (pin: number): TestEntry[] => [[0x60004074 + 4 * pin, 4], ...outputC3(pin, 0x80)];
    await rig.write([0x60004008, 0x18], ...drain(3), ...drain(4));
    expect((await rig.read(0x6000403c)) & 0x18).toBe(0x18);
    await rig.write([0x6000400c, 8]);
    expect((await rig.read(0x6000403c)) & 0x18).toBe(0);
  });

  it('keep their levels when the ROM crashes, and are released at a reset', async () => {
    const rig = await LabRig.open('esp32c3', new Breadboard());
    await rig.write([0x60004008, 8], ...outputC3(3, 0x80));
    await rig.read(0);
    expect(rig.board.net(3).level(rig.board.now)).toBe(1);
    await rig.host.enterDownload();
    expect(rig.board.net(3).level(rig.board.now)).toBe(0);
  });
});

describe('clock gates', () => {
  it('keep registers from answering until they are open, and a reset clears them', async () => {
    const rig = await LabRig.open('esp32', new Breadboard());
    await rig.write([0x3ff53000, 200]);
    expect(await rig.read(0x3ff53000)).toBe(0);
    await rig.write(...gate(7), [0x3ff53000, 200]);
    expect(await rig.read(0x3ff53000)).toBe(200);
    await rig.write(...gate(7));
    expect(await rig.read(0x3ff53000)).toBe(0);
  });
});

describe('SPI2 of the ESP32-C3', () => {
  const pins = { clock: 4, out: 5, in: 6, select: 7 };
  const up = (mode: TestEntry[]): TestEntry[] => [
    ...gateC3(6),
    ...outputC3(4, 63),
    ...outputC3(5, 65),
    ...outputC3(7, 68),
    [0x6000901c, 0x1a00],
    [0x60004154 + 4 * 64, 0x46],
    [0x600240e8, 7],
    [0x6002400c, 0x274e7],
    [0x60024020, 0x3e],
    [0x60024010, 0x18000061],
    [0x6002401c, 31],
    [0x60024098, 0x9f],
    ...mode,
  ];

  it('reads the id of a flash chip once its settings are taken over', async () => {
    const board = new Breadboard();
    board.addSpi(pins, new SpiFlash([0xef, 0x30, 0x15]));
    const rig = await LabRig.open('esp32c3', board);
    await rig.write(...up([]), [0x60024000, 2 ** 24]);
    expect(await rig.read(0x60024098)).toBe(0x9f);
    await rig.write([0x60024000, 2 ** 23], [0x60024000, 2 ** 24]);
    expect(await rig.read(0x60024000)).toBe(0);
    expect(await rig.read(0x60024098)).toBe(0x1530ef00);
  });

  it('is misunderstood in a mode that the part does not have', async () => {
    const board = new Breadboard();
    board.addSpi(pins, new SpiFlash([0xef, 0x30, 0x15]));
    const rig = await LabRig.open('esp32c3', board);
    await rig.write(...up([[0x60024010, 0x18000261]]), [0x60024000, 2 ** 23], [0x60024000, 2 ** 24]);
    expect(await rig.read(0x60024098)).not.toBe(0x1530ef00);
  });

  it('hears itself over a wire from output to input, and clocks eight times a byte', async () => {
    const board = new Breadboard();
    const rig = await LabRig.open('esp32c3', board);
    board.short(5, 6);
    const clock = board.capture(4);
    await rig.write(...up([[0x60024098, 0x44332211]]), [0x60024000, 2 ** 23], [0x60024000, 2 ** 24]);
    expect(await rig.read(0x60024098)).toBe(0x44332211);
    expect(clock.edges().filter(({ level }) => level === 1)).toHaveLength(32);
  });
});

describe('UART1 of the ESP32', () => {
  const up = (divider: number): TestEntry[] => [
    [0x3ff000c0, 0x1000020, 0x1000020],
    [0x3ff50014, divider],
    [0x3ff50020, 0x806001c],
    [0x3ff50020, 0x800001c],
    [0x3ff4904c, 0x2a00],
    [0x3ff44174, 0x80 | 16],
  ];

  it('receives the text of the GNSS receiver', async () => {
    const rig = await LabRig.open('esp32', labBreadboard('esp32'));
    // 40 MHz / 9600, in sixteenths.
    const sixteenths = Math.floor((40e6 * 16) / 9_600);
    await rig.host.clock.advance(1_000 - (rig.board.now % 1_000) - 5);
    await rig.write(...up(((sixteenths & 15) << 20) | (sixteenths >> 4)));
    await rig.host.clock.advance(100);
    let text = '';
    while (((await rig.read(0x3ff5001c)) & 0xff) > 0) {
      text += String.fromCharCode(await rig.read(0x3ff50000));
    }
    expect(text).toMatch(/^\$GPRMC,1200\d\d\.00,A,4808\.\d{4},N,01134\.\d{4},E,.*\*[0-9A-F]{2}\r\n\$GPGGA/);
  });

  it('keeps no more than 128 bytes, and says that it lost some', async () => {
    const rig = await LabRig.open('esp32', labBreadboard('esp32'));
    await rig.write(...up(((Math.floor((40e6 * 16) / 9_600) & 15) << 20) | (Math.floor((40e6 * 16) / 9_600) >> 4)));
    await rig.host.clock.advance(5_000);
    expect((await rig.read(0x3ff5001c)) & 0xff).toBe(128);
    expect((await rig.read(0x3ff50004)) & 0x10).toBe(0x10);
  });
});

describe('the converters', () => {
  it('follow the potentiometer, the ESP32 to 3.3 V and the ESP32-C3 to 2.5 V', async () => {
    const esp32 = await LabRig.open('esp32', labBreadboard('esp32'));
    esp32.board.potentiometer.turn(0.25);
    await esp32.write(
      [0x3ff48480, 2 ** 29, 2 ** 29],
      [0x3ff48800, 0x10030000, 0x18030000],
      [0x3ff4880c, 0xc0000],
      [0x3ff4882c, 3],
      [0x3ff48834, 0xffffffff],
      [0x3ff48854, 0x82040000],
      [0x3ff48854, 0x82060000],
    );
    expect((await esp32.read(0x3ff48854)) & 0x1ffff).toBe(0x10000 + Math.round((0.825 / 3.3) * 4_095));
    const c3 = await LabRig.open('esp32c3', labBreadboard('esp32c3'));
    c3.board.potentiometer.turn(0.25);
    const convert: TestEntry[] = [
      [0x6004004c, 2 ** 31],
      [0x60040020, 0x81800000],
      [0x60040020, 0xa1800000],
      [0x60040020, 0x81800000, 0xffffffff, 50],
    ];
    await c3.write(...gateC3(28), ...convert);
    expect(await c3.read(0x60040044)).toBe(0);
    await c3.write([0x60040054, 0x500004], [0x60040000, 0x18000000, 0x18000000], ...convert);
    expect(await c3.read(0x60040044)).toBe(2 ** 31);
    expect(await c3.read(0x6004002c)).toBe(Math.round((0.825 / 2.5) * 4_095));
  });

  it('see nothing of a pad that the RTC of an ESP32 does not have', async () => {
    const rig = await LabRig.open('esp32', labBreadboard('esp32'));
    await rig.write(
      [0x3ff48800, 0x10030000],
      [0x3ff4880c, 0xc0000],
      [0x3ff48834, 0xffffffff],
      [0x3ff48854, 0x82040000],
      [0x3ff48854, 0x82060000],
    );
    expect(await rig.read(0x3ff48854)).toBe(0x10000);
  });
});

/** ESP32: 1 kHz with 13 bits on a pin. */
const pwm = (pin: number, mux: number, duty: number): TestEntry[] => [
  ...gate(11),
  ...output(pin, mux, 79),
  [0x3ff59190, 1],
  [0x3ff59160, 0x3009c4d],
  [0x3ff59160, 0x2009c4d],
  [0x3ff59160, 0x6009c4d],
  [0x3ff590a4, 0],
  [0x3ff590a8, duty << 4],
  [0x3ff590ac, 0xc0100400],
  [0x3ff590a0, 4, 0xf],
  [0x3ff590a0, 0x10, 0x10],
];

describe('LEDC', () => {
  it('lights the LED for as much of the time as its duty, at the frequency of its divider', async () => {
    const rig = await LabRig.open('esp32', labBreadboard('esp32'));
    expect(rig.board.led.brightness).toBe(0);
    await rig.write(...pwm(26, 0x28, 2_048));
    expect(rig.board.led.brightness).toBeCloseTo(0.25, 2);
    const capture = rig.board.capture(26);
    await rig.host.clock.advance(100);
    const rising = capture.edges().filter(({ level }) => level === 1);
    expect(rising).toHaveLength(100);
    // 8192 steps of 1250/256 cycles at 40 MHz.
    expect((rising[99]?.time ?? 0) - (rising[0]?.time ?? 0)).toBeCloseTo(99, 6);
    await rig.write(...pwm(26, 0x28, 8_192));
    expect(rig.board.led.brightness).toBe(1);
  });
});

describe('edges on the ESP32', () => {
  it('are counted by PCNT, rising ones alone if set so, once its reset is released', async () => {
    const rig = await LabRig.open('esp32', new Breadboard());
    await rig.write(
      ...pwm(18, 0x70, 4_096),
      ...gate(10),
      [0x3ff44130 + 4 * 39, 0x80 | 18],
      [0x3ff44130 + 4 * 41, 0x80 | 0x38],
      [0x3ff57000, 2 ** 18],
    );
    await rig.host.clock.advance(10);
    expect(await rig.read(0x3ff57060)).toBe(0);
    await rig.write([0x3ff570b0, 0, 3]);
    await rig.host.clock.advance(100);
    const count = await rig.read(0x3ff57060);
    expect(count).toBeGreaterThanOrEqual(100);
    expect(count).toBeLessThanOrEqual(104);
  });

  it('are counted where they come in millions as one by one, and start again at 0 at the limit', async () => {
    const limit = 0x7fff;
    const rig = await LabRig.open('esp32', new Breadboard());
    await rig.write(
      ...pwm(18, 0x70, 4_096),
      ...gate(10),
      [0x3ff44130 + 4 * 39, 0x80 | 18],
      [0x3ff44130 + 4 * 41, 0x80 | 0x38],
      [0x3ff57000, (2 ** 18) | (2 ** 16) | (2 ** 12)],
      [0x3ff57008, limit],
      [0x3ff570b0, 0, 3],
    );
    /** Returns the number of edges that the counter counts in `milliseconds`, modulo its limit. */
    const countedIn = async (milliseconds: number) => {
      const from = await rig.read(0x3ff57060);
      await rig.host.clock.advance(milliseconds);
      return ((await rig.read(0x3ff57060)) - from + limit) % limit;
    };
    const distance = (one: number, other: number) =>
      Math.min((limit + one - other) % limit, (limit + other - one) % limit);
    // A listener of single edges keeps the net from reporting whole periods at once.
    const capture = rig.board.capture(18);
    expect(distance(await countedIn(40_000), 80_000 % limit)).toBeLessThan(20);
    capture.stop();
    expect(distance(await countedIn(3_600_000), 7_200_000 % limit)).toBeLessThan(20);
  });

  it('are timed by RMT in ticks of 25 ns, until the line is still', async () => {
    const rig = await LabRig.open('esp32', new Breadboard());
    const plain = output(18, 0x70, 0x100);
    await rig.write(
      ...plain,
      ...gate(9),
      [0x3ff44130 + 4 * 83, 0x80 | 18],
      [0x3ff560f0, 1],
      [0x3ff56020, (1 << 24) | (8_000 << 8) | 1],
      [0x3ff56024, (1 << 17) | (1 << 5) | (3 << 2)],
      [0x3ff56024, (1 << 17) | (1 << 5) | 2],
    );
    await rig.write(
      [0x3ff44008, 2 ** 18],
      [0x3ff4400c, 2 ** 18, 0xffffffff, 100],
      [0x3ff44008, 2 ** 18, 0xffffffff, 50],
    );
    expect((await rig.read(0x3ff560a0)) & 2).toBe(2);
    // While the receiver owns the memory, the bus reads 0.
    expect(await rig.read(0x3ff56800)).toBe(0);
    await rig.write([0x3ff56800, 0x1234_5678], [0x3ff56024, 1 << 17]);
    const word = await rig.read(0x3ff56800);
    expect(word >>> 31).toBe(0);
    expect((word >>> 15) & 1).toBe(1);
    // Delays of 100 and 50 µs, of which the ROM waits 13/40.
    expect(Math.abs((word & 0x7fff) - 1_300)).toBeLessThan(100);
    expect(Math.abs(((word >>> 16) & 0x7fff) - 650)).toBeLessThan(100);
    expect((await rig.read(0x3ff56804)) & 0x7fff).toBe(0);
    await rig.write([0x3ff56800, 0x1234_5678]);
    expect(await rig.read(0x3ff56800)).toBe(0x1234_5678);
    // A reset keeps the memory's content and gives it to the receiver.
    await rig.write(...gate(9), [0x3ff560f0, 1]);
    expect(await rig.read(0x3ff56024)).toBe(0xf20);
    expect(await rig.read(0x3ff56800)).toBe(0);
    await rig.write([0x3ff56024, 1 << 17]);
    expect(await rig.read(0x3ff56800)).toBe(0x1234_5678);
  });
});
