/** ZMODEM: codecs by property, and both sides against each other over a damaged line on a virtual clock. */
import { VirtualClock } from '@wirebench/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LinkReader } from '../byte-link.ts';
import { receiveFiles, sendFiles } from '../run-transfer.ts';
import { memoryStore, outgoing } from '../testing/memory-files.ts';
import { fileBytes, noisyLine } from '../testing/noisy-line.ts';
import { ScriptedLink } from '../testing/scripted-link.ts';
import {
  Escaper,
  encodeHexHeader,
  type FrameType,
  flagBytes,
  frame,
  positionBytes,
  positionOf,
  receiverFlag,
  subpacketEnd,
} from './frame.ts';
import { type FrameEvent, FrameReader } from './frame-reader.ts';

/** Reads all events out of bytes that arrive in chunks of `size`. */
async function eventsIn(bytes: Uint8Array, size = bytes.length): Promise<FrameEvent[]> {
  const clock = new VirtualClock();
  const link = new ScriptedLink();
  const reader = new LinkReader(link, clock, undefined);
  const frames = new FrameReader(reader);
  const events: FrameEvent[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    await link.say(clock, bytes.subarray(at, at + size));
    for (let event = frames.poll(); event !== null; event = frames.poll()) {
      events.push(event);
    }
  }
  reader.close();
  return events;
}

function together(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

const awkward = fc.array(
  fc.constantFrom(0x00, 0x0d, 0x10, 0x11, 0x13, 0x18, 0x2a, 0x40, 0x7f, 0x8d, 0x91, 0x98, 0xff),
  {
    maxLength: 300,
  },
);

describe('frames', () => {
  it('come through whatever bytes they carry, with every CRC and escape', async () => {
    await fc.assert(
      fc.asyncProperty(awkward, fc.constantFrom(16, 32), fc.boolean(), async (content, bits, escapesControls) => {
        const escaper = new Escaper();
        escaper.escapesControls = escapesControls;
        const data = Uint8Array.from(content);
        const wire = together(
          escaper.encodeBinaryHeader(frame.ZDATA, positionBytes(0x18112a13), bits),
          escaper.encodeSubpacket(data, subpacketEnd.ZCRCG, bits),
          escaper.encodeSubpacket(data, subpacketEnd.ZCRCW, bits),
        );
        expect(await eventsIn(wire)).toEqual([
          { kind: 'header', type: frame.ZDATA, data: positionBytes(0x18112a13) },
          { kind: 'data', bytes: data, end: subpacketEnd.ZCRCG },
          { kind: 'data', bytes: data, end: subpacketEnd.ZCRCW },
        ]);
        const controls = wire.filter((byte) => (byte & 0x60) === 0 && byte !== 0x18);
        expect(escapesControls ? controls : controls.filter((byte) => [0x11, 0x13].includes(byte & 0x7f))).toEqual(
          new Uint8Array(),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('have the bytes of the protocol document', () => {
    const text = (type: FrameType, data: Uint8Array) => String.fromCharCode(...encodeHexHeader(type, data));
    expect(text(frame.ZRQINIT, flagBytes(0))).toBe('**\x18B00000000000000\r\x8a\x11');
    expect(text(frame.ZRINIT, flagBytes(0x23))).toBe('**\x18B0100000023be50\r\x8a\x11');
    expect(text(frame.ZFIN, flagBytes(0))).toBe('**\x18B0800000000022d\r\x8a');
    expect(positionOf(positionBytes(0xffff_fffe))).toBe(0xffff_fffe);
  });

  it('are found at every chunk boundary, between other text', async () => {
    const escaper = new Escaper();
    const wire = together(
      Uint8Array.from('** sz\r\n*\x18', (character) => character.charCodeAt(0)),
      encodeHexHeader(frame.ZRINIT, flagBytes(0x23)),
      escaper.encodeBinaryHeader(frame.ZFILE, flagBytes(1), 32),
      escaper.encodeSubpacket(Uint8Array.of(1, 0x18, 3), subpacketEnd.ZCRCW, 32),
    );
    for (const size of [1, 2, 3, 7, 100]) {
      expect((await eventsIn(wire, size)).map(({ kind }) => kind)).toEqual(['header', 'header', 'data']);
    }
  });

  it('are bad when damaged, and never throw or grow on any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        await eventsIn(together(Uint8Array.of(0x2a, 0x18, 0x43), bytes));
      }),
      { numRuns: 100 },
    );
    const flood = together(new Escaper().encodeBinaryHeader(frame.ZDATA, flagBytes(0), 32), new Uint8Array(20_000));
    expect((await eventsIn(flood)).map(({ kind }) => kind)).toEqual(['header', 'bad']);
  });

  it('takes five CANs for a cancel, and four for noise', async () => {
    expect(await eventsIn(new Uint8Array(4).fill(0x18))).toEqual([]);
    expect(await eventsIn(new Uint8Array(5).fill(0x18))).toEqual([{ kind: 'cancel' }]);
  });
});

const noise = { drop: 0.0005, double: 0.0005, change: 0.0005 };

/** Sends from one side to the other. Each chunk arrives a millisecond after it was written. */
async function transfer(files: Readonly<Record<string, Uint8Array>>, seed: number | null) {
  const clock = new VirtualClock();
  const [near, far] = [new ScriptedLink(), new ScriptedLink()];
  const join = (from: ScriptedLink, to: ScriptedLink, index: number) => {
    const damage = noisyLine(seed === null ? { seed: 1 } : { seed: seed * 2 + index, ...noise });
    from.write = async (bytes) => {
      const arriving = damage(bytes);
      await clock.sleep(1);
      void to.say(clock, arriving);
    };
  };
  join(near, far, 0);
  join(far, near, 1);
  const store = memoryStore();
  const sent = sendFiles(
    'zmodem',
    Object.entries(files).map(([name, bytes]) => outgoing(name, bytes)),
    { link: near, clock },
  );
  const received = receiveFiles('zmodem', store, { link: far, clock });
  let isOver = false;
  void Promise.all([sent, received]).then(() => {
    isOver = true;
  });
  for (let steps = 0; steps < 2_000 && !isOver; steps++) {
    await clock.advance(1_000);
  }
  return { sent: await sent, received: await received, store };
}

describe('a transfer', () => {
  it.each([1, 2, 3, 4, 5, 6])('comes through a damaged line (seed %i)', async (seed) => {
    const files = {
      'a.bin': fileBytes(9_000, seed),
      'empty.bin': new Uint8Array(),
      'b.bin': fileBytes(300, seed),
    };
    const { sent, received, store } = await transfer(files, seed);
    expect([sent.outcome, received.outcome]).toEqual(['complete', 'complete']);
    for (const { offer, bytes, isWhole } of store.files.filter((file) => file.isWhole)) {
      expect(isWhole).toBe(true);
      expect(bytes).toEqual(files[offer.name as keyof typeof files]);
    }
    expect(new Set(store.files.filter((file) => file.isWhole).map(({ offer }) => offer.name)).size).toBe(3);
  });

  it('sends nothing twice over a clean line', async () => {
    const { sent, received } = await transfer({ 'a.bin': fileBytes(100_000, 1) }, null);
    expect(sent).toMatchObject({ outcome: 'complete', repeats: 0 });
    expect(received).toMatchObject({ outcome: 'complete', repeats: 0 });
  });

  it('waits for a confirmation after each buffer of a receiver that has a small one', async () => {
    const clock = new VirtualClock();
    const link = new ScriptedLink();
    const done = sendFiles('zmodem', [outgoing('a.bin', fileBytes(5_000, 1))], { link, clock });
    await link.say(clock, encodeHexHeader(frame.ZRINIT, Uint8Array.of(0, 8, 0, receiverFlag.CANFDX)));
    await link.say(clock, encodeHexHeader(frame.ZRPOS, positionBytes(0)));
    const events = await eventsIn(Uint8Array.from(link.take()));
    expect(events.filter(({ kind }) => kind === 'data').at(-1)).toMatchObject({ end: subpacketEnd.ZCRCW });
    await link.say(clock, encodeHexHeader(frame.ZSKIP, flagBytes(0)));
    await link.say(clock, encodeHexHeader(frame.ZFIN, flagBytes(0)));
    await clock.advance(1_000);
    expect((await done).files).toMatchObject([{ state: 'skipped' }]);
  });

  it('answers a challenge, and ends when a receiver gives up', async () => {
    const clock = new VirtualClock();
    const link = new ScriptedLink();
    const done = sendFiles('zmodem', [outgoing('a.bin', new Uint8Array(10))], { link, clock });
    await link.say(clock, encodeHexHeader(frame.ZCHALLENGE, positionBytes(0x1234)));
    expect((await eventsIn(Uint8Array.from(link.take()))).at(-1)).toMatchObject({ type: frame.ZACK });
    await link.say(clock, encodeHexHeader(frame.ZRINIT, flagBytes(0x23)));
    await link.say(clock, encodeHexHeader(frame.ZFERR, flagBytes(0)));
    await clock.advance(5_000);
    expect((await done).outcome).toBe('peer-cancelled');
  });

  it('refuses a command', async () => {
    const clock = new VirtualClock();
    const link = new ScriptedLink();
    const done = receiveFiles('zmodem', memoryStore(), { link, clock });
    await link.say(clock, encodeHexHeader(frame.ZCOMMAND, flagBytes(0)));
    await clock.advance(5_000);
    expect((await done).outcome).toBe('refused');
  });

  it('gives up on a sender that falls silent, and keeps its part', async () => {
    const clock = new VirtualClock();
    const link = new ScriptedLink();
    const store = memoryStore();
    const done = receiveFiles('zmodem', store, { link, clock });
    const escaper = new Escaper();
    await link.say(
      clock,
      together(
        escaper.encodeBinaryHeader(frame.ZFILE, flagBytes(1), 32),
        escaper.encodeSubpacket(Uint8Array.from(Buffer.from('a.bin\x00100 0 0\x00')), subpacketEnd.ZCRCW, 32),
      ),
    );
    await link.say(
      clock,
      together(
        escaper.encodeBinaryHeader(frame.ZDATA, positionBytes(0), 32),
        escaper.encodeSubpacket(Uint8Array.of(1, 2, 3), subpacketEnd.ZCRCG, 32),
      ),
    );
    await clock.advance(200_000);
    expect(await done).toMatchObject({ outcome: 'no-answer', files: [{ bytes: 3, state: 'partial' }] });
    expect(store.files[0]?.bytes).toEqual(Uint8Array.of(1, 2, 3));
    expect(clock.pending).toBe(0);
  });
});
