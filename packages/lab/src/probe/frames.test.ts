/** Valid and invalid frames: the codec's results, and the program's answers. */
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeRequest, parseFrame, probeOps } from './frames.ts';
import { adcStreamData, readBridgeData, watchData, wordsAndBytes } from './operations.ts';
import { ProbeTalk } from './probe-talk.ts';
import { buildHostProbe, HostProbe, hasHostCompiler } from './testing/host-probe.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('frames of the probe', () => {
  it('have a checksum and are escaped', () => {
    expect(encodeRequest(0xe4, bytes(0xc0, 0, 0, 0))).toEqual(
      bytes(0xc0, 0, 0xe4, 4, 0, 0x2f, 0, 0, 0, 0xdb, 0xdc, 0, 0, 0, 0xc0),
    );
  });

  it('are answers with a value, data and a reason', () => {
    expect(parseFrame(bytes(1, 0xe1, 6, 0, 9, 0, 0, 0, 5, 6, 0, 0, 0, 0))).toEqual({
      ...{ op: 0xe1, value: 9, data: bytes(5, 6), reason: null },
    });
    expect(parseFrame(bytes(1, 0xe1, 4, 0, 0, 0, 0, 0, 1, 0x31, 0, 0))?.reason).toBe('i2c-time-out');
    expect(parseFrame(bytes(1, 0xe1, 4, 0, 0, 0, 0, 0, 1, 0x7f, 0, 0))?.reason).toBe('unknown');
  });

  it('are nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (frame) => {
        const parsed = parseFrame(frame);
        expect(parsed === null || (frame[0] === 1 && parsed.data.length === frame.length - 12)).toBe(true);
      }),
    );
  });

  it('have their fields where the protocol says', () => {
    expect(adcStreamData({ period: 258, batch: 300, channels: [3, 7] })).toEqual(
      bytes(2, 1, 0, 0, 0x2c, 1, 2, 0, 3, 7, 0, 0, 0, 0, 0, 0),
    );
    expect(watchData({ pins: [0, 31, 33], interval: 1 })).toEqual(bytes(1, 0, 0, 0x80, 2, 0, 0, 0, 1, 0, 0, 0));
    const report = readBridgeData({ op: 0xf1, value: 7, data: bytes(0x91, 65), reason: null });
    expect(report).toEqual({ gone: 7, bytes: bytes(65), errors: ['ring-full', 'overrun', 'break'] });
  });
});

describe.runIf(hasHostCompiler)('the program', () => {
  const readReg = 0x0a;
  const writeReg = 0x09;
  /** A modelled register that counts its reads. */
  const counter = 0x3ff6_e000;
  let built: ReturnType<typeof buildHostProbe>;
  let wire: HostProbe;
  let talk: ProbeTalk;
  const read = async (address: number) => (await talk.ask(readReg, wordsAndBytes([address]), 2_000)).value;
  const reasonOf = async (op: number, data: Uint8Array) => {
    talk.send(op, data);
    return (await talk.answerTo(op, 2_000))?.reason;
  };

  beforeAll(() => {
    built = buildHostProbe();
  }, 60_000);
  afterAll(() => built.remove());
  beforeEach(async () => {
    wire = new HostProbe(built.program);
    talk = new ProbeTalk(wire, () => undefined);
    // The program's greeting.
    await wire.nextFrame(5_000);
  });
  afterEach(() => wire.close());

  it('writes a whole word without reading it, and reads where a mask leaves bits out', async () => {
    expect(await read(counter)).toBe(1);
    await talk.ask(writeReg, wordsAndBytes([counter, 5, 0xffff_ffff, 0, counter, 5, 0xffff_ffff, 0]), 2_000);
    expect(await read(counter)).toBe(2);
    await talk.ask(writeReg, wordsAndBytes([counter, 5, 0xff, 0]), 2_000);
    expect(await read(counter)).toBe(4);
  });

  it('writes a list of 511 entries in order', async () => {
    const entries = Array.from({ length: 511 }, (_, index) => [0x3ff4_4004, index, 0xffff_ffff, 0]);
    await talk.ask(writeReg, wordsAndBytes(entries.flat()), 5_000);
    expect(await read(0x3ff4_4004)).toBe(510);
  });

  it.each([
    ['UART0', 0x3ff4_0014],
    ['UART0 by its second address', 0x6000_0000],
    ['the flash controller', 0x3ff4_2000],
    ['the flash controller by its second address', 0x6000_3ffc],
    ['an eFuse', 0x3ff5_a000],
    ['memory', 0x3ffb_0000],
    ['an address that is not aligned', 0x3ff4_4005],
    ['an address in a hole', 0x8000_0000],
  ])('refuses to write %s, and does nothing of the list', async (_name, address) => {
    const list = wordsAndBytes([0x3ff4_4004, 1, 0xffff_ffff, 0, address, 1, 0xffff_ffff, 0]);
    expect(await reasonOf(writeReg, list)).toBe('address-refused');
    expect(await read(0x3ff4_4004)).toBe(0);
  });

  it.each([0, 0x8000_0000, 0xffff_fffc, 0x3ff4_0000, 0x3ff4_4001])('refuses to read %i', async (address) => {
    expect(await reasonOf(readReg, wordsAndBytes([address]))).toBe('address-refused');
  });

  it('answers SYNC eight times', async () => {
    talk.send(0x08, new Uint8Array(36));
    for (let answer = 0; answer < 8; answer++) {
      expect((await talk.next(2_000))?.op).toBe(0x08);
    }
    expect(await read(counter)).toBe(1);
  });

  const capabilities = encodeRequest(probeOps.capabilities, new Uint8Array());
  it.each([
    ['an unknown operation', encodeRequest(0xea, new Uint8Array()), 0xea, 'invalid'],
    ['a wrong checksum', bytes(0xc0, 0, 0xe0, 0, 0, 0, 0, 0, 0, 0xc0), 0xe0, 'wrong-checksum'],
    ['a wrong length', bytes(0xc0, 0, 0xe0, 1, 0, 0xef, 0, 0, 0, 0xc0), 0xe0, 'invalid'],
    ['a frame of three bytes', bytes(0xc0, 0, 0xe1, 4, 0xc0), 0xe1, 'invalid'],
    ['a wrong escape', bytes(0xc0, 0, 0xe0, 0, 0, 0xef, 0, 0, 0xdb, 1, 0xc0), 0xe0, 'invalid'],
    ['a frame that is too long', encodeRequest(0x09, new Uint8Array(9_000)), 0x09, 'invalid'],
    ['too few bytes', encodeRequest(0xe1, new Uint8Array(7)), 0xe1, 'invalid'],
    ['bytes for a bridge that is closed', encodeRequest(0xe5, new Uint8Array(7)), 0xe5, 'bridge-closed'],
    ['a baud rate of 0', encodeRequest(0x0f, new Uint8Array(8)), 0x0f, 'out-of-range'],
  ] as const)('answers %s with a reason and goes on', async (_name, frame, op, reason) => {
    wire.write(frame);
    expect(await talk.next(2_000)).toMatchObject({ op, reason });
    wire.write(capabilities);
    expect(await talk.next(2_000)).toMatchObject({ op: probeOps.capabilities, reason: null });
  });

  it('says nothing to noise and to its own answers', async () => {
    wire.write(bytes(0xc0, 1, 0x0a, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xc0, 0x55, 0xaa, 0xff));
    wire.write(capabilities);
    expect(await talk.next(2_000)).toMatchObject({ op: probeOps.capabilities, reason: null });
  });

  it('answers whatever came before', async () => {
    const noise = fc.uint8Array({ minLength: 1, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(noise, async (before) => {
        const probe = new HostProbe(built.program);
        probe.write(before);
        probe.write(bytes(0xc0));
        probe.write(capabilities);
        const asked = new ProbeTalk(probe, () => undefined);
        let answer = await asked.answerTo(probeOps.capabilities, 2_000);
        while (answer !== null && answer.reason !== null) {
          answer = await asked.answerTo(probeOps.capabilities, 2_000);
        }
        await probe.close();
        expect(answer?.data).toHaveLength(40);
      }),
      { numRuns: 40 },
    );
  });
});
