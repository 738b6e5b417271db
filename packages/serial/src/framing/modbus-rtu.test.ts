import { VirtualClock } from '@wirebench/clock';
import { defaultPortSettings, type PortSettings, wireTime } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAt, heldFrames, heldLines, latin1, receivedChannel } from '../testing/line-channels.ts';
import { modbusFrame } from '../testing/modbus-frame.ts';
import { testRig } from '../testing/test-rig.ts';
import { ChannelFraming } from './channel-framing.ts';
import { splitterOf } from './framings.ts';

const modbus = { name: 'modbus-rtu', options: {} } as const;
const bytesOf = (hex: string) => Uint8Array.from(hex.split(' '), (digits) => Number.parseInt(digits, 16));

/** Frames with the CRCs that were published with them. */
const published = [
  // MODBUS over Serial Line V1.02, section 6.2.2: the CRC of 02 07.
  '02 07 41 12',
  // Simply Modbus, "Modbus RTU" and its pages on functions 1, 3, 5 and 16: requests and responses.
  '11 03 00 6B 00 03 76 87',
  '11 03 06 AE 41 56 52 43 40 49 AD',
  '11 01 00 13 00 25 0E 84',
  '11 01 05 CD 6B B2 0E 1B 45 E6',
  '11 05 00 AC FF 00 4E 8B',
  '11 10 00 01 00 02 04 00 0A 01 02 C6 F0',
  // The same, "Modbus Exception Responses": function 1 with bit 7 set, and the code 02.
  '0A 81 02 B0 53',
  // Catalogue of parametrised CRC algorithms, CRC-16/MODBUS: the check of the digits 1 to 9 is 4B37.
  '31 32 33 34 35 36 37 38 39 37 4B',
] as const;
const shown = published.map((frame) => frame.slice(0, -' 00 00'.length));

const rates = [1_200, 2_400, 9_600, 19_200, 38_400, 115_200, 460_800, 921_600];
const at = (baudRate: number, parity: PortSettings['parity'] = 'even'): PortSettings => ({
  ...defaultPortSettings,
  baudRate,
  parity,
});

/** @param lateness How late timers fire, in milliseconds. */
function framed(settings: PortSettings, lateness: () => number = () => 0) {
  const clock = new VirtualClock(1_000.25);
  const channel = receivedChannel(64 * 1_024);
  const lateClock = {
    now: () => clock.now(),
    wallTime: () => clock.wallTime(),
    sleep: (delay: number) => clock.sleep(delay),
    schedule: (delay: number, callback: () => void) => clock.schedule(delay + lateness(), callback),
  };
  const framer = new ChannelFraming(lateClock, channel, () => undefined);
  framer.set(modbus);
  framer.begun(settings);
  const receive = (bytes: Uint8Array) => framer.received(bytes, clock.now());
  return { clock, channel, framer, receive };
}

describe('Modbus RTU', () => {
  it.each(rates)('shows published frames without their CRC, each as it came over the wire at %d baud', async (rate) => {
    const settings = at(rate);
    const { clock, channel, receive } = framed(settings);
    for (const frame of published) {
      for (const byte of bytesOf(frame)) {
        await clock.advance(wireTime(settings, 1));
        receive(Uint8Array.of(byte));
      }
      await clock.advance(rate > 19_200 ? 1.75 : wireTime(settings, 3.5));
    }
    await clock.advance(40);
    expect(heldFrames(channel)).toEqual(shown);
    expect(clock.pending).toBe(0);
  });

  it.each(rates)('keeps frames whole that a bridge cuts and late timers end, at %d baud', async (rate) => {
    const settings = at(rate);
    const read = fc.record({
      frame: fc.constantFrom(...published.keys()),
      places: fc.array(fc.nat(12), { maxLength: 4 }),
      delays: fc.array(fc.double({ min: 0, max: 15.9, noNaN: true }), { minLength: 5, maxLength: 5 }),
    });
    const lateness = fc.infiniteStream(fc.integer({ min: 0, max: 50 }));
    await fc.assert(
      fc.asyncProperty(fc.array(read, { maxLength: 6 }), lateness, async (reads, late) => {
        const { clock, channel, receive } = framed(settings, () => late.next().value);
        for (const { frame, places, delays } of reads) {
          const pieces = cutAt(bytesOf(published[frame] as string), places).filter(({ length }) => length > 0);
          for (const [index, piece] of pieces.entries()) {
            await clock.advance(index === 0 ? 0 : (delays[index] as number));
            receive(piece);
          }
          await clock.advance(wireTime(settings, 3.5) + 2);
        }
        await clock.advance(200);
        expect(heldFrames(channel)).toEqual(reads.map(({ frame }) => shown[frame]));
        expect(clock.pending).toBe(0);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    [1_200, 'none', 29],
    [1_200, 'even', 32],
    [9_600, 'none', 3],
    [9_600, 'even', 4],
    [19_200, 'none', 1],
    [19_200, 'even', 2],
    // Above 19,200 baud the gap is 1.75 ms.
    [19_201, 'even', 1],
    [115_200, 'none', 1],
    [921_600, 'even', 1],
  ] as const)(
    'ends a whole frame after 3.5 characters in whole milliseconds: %d baud, parity %s',
    (rate, parity, gap) => {
      const splitter = splitterOf(modbus, at(rate, parity));
      const frame = bytesOf(published[1]);
      splitter.next(frame, 0, frame.length - 1);
      expect(splitter.gap).toBe(gap + 16);
      splitter.next(frame, frame.length - 1, frame.length);
      expect(splitter.gap).toBe(gap);
    },
  );

  it('marks a frame in which one bit has changed, and goes on with the next one', async () => {
    const frame = bytesOf(published[2]);
    for (let bit = 0; bit < 8 * frame.length; bit++) {
      const { clock, channel, receive } = framed(at(9_600));
      const changed = Uint8Array.from(frame, (byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
      receive(changed);
      await clock.advance(30);
      receive(frame);
      await clock.advance(30);
      expect(heldFrames(channel)).toEqual([expect.stringMatching(/^INVALID /), shown[2]]);
      expect(heldLines(channel)[0]).toBe(latin1(changed));
    }
  });

  it('marks frames that are shorter or longer than a frame can be', async () => {
    const { clock, channel, receive } = framed(at(115_200));
    const content = (length: number) => Array.from({ length }, (_, index) => index & 0xff);
    for (const frame of [modbusFrame([0x11]), modbusFrame(content(254)), modbusFrame(content(255))]) {
      receive(Uint8Array.from(frame));
      await clock.advance(30);
    }
    expect([0, 1, 2].map((line) => channel.faultOf(line))).toEqual(['invalid', null, 'invalid']);
  });

  it('marks a frame that the connection ended in, but for a whole one', () => {
    const { channel, framer, receive } = framed(at(9_600));
    receive(bytesOf('11 03 06'));
    framer.ended();
    receive(bytesOf(published[1]));
    framer.ended();
    expect(heldFrames(channel)).toEqual(['INCOMPLETE 11 03 06', shown[1]]);
  });

  it('takes two frames without a gap between them for one, which is invalid', async () => {
    const { clock, channel, receive } = framed(at(9_600));
    receive(bytesOf(`${published[1]} ${published[2]}`));
    await clock.advance(30);
    expect(heldFrames(channel)).toEqual([`INVALID ${published[1]} ${published[2]}`]);
  });

  it('learns the baud rate when a port is connected, and finds decoded content only', async () => {
    const test = testRig();
    test.bench.setFraming(1, modbus);
    const device = new FakeSerialPort();
    await test.bench.connect(1, device, at(1_200));
    const crc = test.bench.search({ kind: 'hex', bytes: Uint8Array.of(0x76, 0x87) });
    device.receive(bytesOf(published[1]));
    await test.clock.settle();
    await crc.run(async () => undefined);
    expect(crc.count).toBe(1);
    await test.clock.advance(31);
    const rows = () =>
      test.bench.rows({ layout: 'hex', anchor: { position: 0 }, count: 9, channels: ['received-1'] }).rows;
    expect(rows().map(({ open, lineLength }) => [open, lineLength])).toEqual([[true, 8]]);
    await test.clock.advance(17);
    expect(rows().map(({ open, lineLength }) => [open, lineLength])).toEqual([[false, 6]]);
    expect(crc.complete).toBe(false);
    await crc.run(async () => undefined);
    expect(crc.count).toBe(0);
  });
});
