/** XMODEM and YMODEM on a virtual clock, against a scripted other side. */
import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { encodeBlock } from './block.ts';
import { ACK, CAN, EOT, NAK, WANT_CRC } from './control-bytes.ts';
import { receiveFiles, sendFiles } from './run-transfer.ts';
import { memoryStore, outgoing } from './testing/memory-files.ts';
import { ScriptedLink } from './testing/scripted-link.ts';

const data = Uint8Array.from({ length: 200 }, (_, index) => index);
const name = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

function receiving(protocol: 'xmodem' | 'ymodem') {
  const clock = new VirtualClock();
  const link = new ScriptedLink();
  const store = memoryStore();
  const done = receiveFiles(protocol, store, { link, clock });
  return { clock, link, store, done };
}

function sending(protocol: 'xmodem' | 'xmodem-1k' | 'ymodem', bytes: Uint8Array = data, signal?: AbortSignal) {
  const clock = new VirtualClock();
  const link = new ScriptedLink();
  const done = sendFiles(protocol, [outgoing('f.bin', bytes, 0)], { link, clock, signal });
  return { clock, link, done };
}

describe('receiving', () => {
  it('asks for a CRC four times, then for checksums, and gives up after a minute', async () => {
    const { clock, link, done } = receiving('xmodem');
    await clock.advance(61_000);
    const { outcome } = await settled(clock, done);
    expect(outcome).toBe('no-answer');
    expect(link.written.slice(0, 6)).toEqual([WANT_CRC, WANT_CRC, WANT_CRC, WANT_CRC, NAK, NAK]);
  });

  it('trims the last block of YMODEM to the announced length', async () => {
    const { clock, link, store, done } = receiving('ymodem');
    await link.say(clock, encodeBlock(0, name('f.bin\x00200 0 0 0\x00'), 'crc', 0));
    await link.say(clock, encodeBlock(1, data.subarray(0, 128), 'crc'));
    await link.say(clock, encodeBlock(2, data.subarray(128), 'crc'));
    await link.say(clock, [EOT]);
    await link.say(clock, [EOT]);
    await link.say(clock, encodeBlock(0, new Uint8Array(), 'crc', 0));
    await link.say(clock, [...name('\r\nboard> ')]);
    const report = await settled(clock, done);
    expect(report).toMatchObject({ outcome: 'complete', repeats: 0 });
    expect(store.files[0]?.bytes).toEqual(data);
    expect(new TextDecoder().decode(report.rest)).toBe('\r\nboard> ');
    expect(link.written).toEqual([WANT_CRC, ACK, WANT_CRC, ACK, ACK, NAK, ACK, WANT_CRC, ACK]);
  });

  it('keeps a file whose sender ends after one EOT and prints its prompt', async () => {
    const { clock, link, store, done } = receiving('xmodem');
    await link.say(clock, encodeBlock(1, data.subarray(0, 128), 'crc'));
    await link.say(clock, [EOT]);
    await link.say(clock, name('\r\nboard> '));
    await clock.advance(300);
    const report = await done;
    expect(report).toMatchObject({ outcome: 'complete', duration: 300 });
    expect(store.files[0]).toMatchObject({ isWhole: true, bytes: data.subarray(0, 128) });
    expect(new TextDecoder().decode(report.rest)).toBe('\r\nboard> ');
    expect(link.written).toEqual([WANT_CRC, ACK, NAK]);
  });

  it('keeps a file whose sender is silent after one EOT', async () => {
    const { clock, link, store, done } = receiving('xmodem');
    await link.say(clock, encodeBlock(1, data.subarray(0, 128), 'crc'));
    await link.say(clock, [EOT]);
    await clock.advance(3_000);
    expect(await done).toMatchObject({ outcome: 'complete' });
    expect(store.files[0]?.isWhole).toBe(true);
    expect(link.written).toEqual([WANT_CRC, ACK, NAK, ACK]);
  });

  it('does not take the start byte of a damaged block for the end of the file', async () => {
    const { clock, link, store, done } = receiving('xmodem');
    await link.say(clock, encodeBlock(1, data.subarray(0, 128), 'crc'));
    const damaged = encodeBlock(2, new Uint8Array(128).fill(EOT), 'crc');
    damaged[0] = EOT;
    await link.say(clock, damaged);
    await clock.advance(1_000);
    expect(link.written).toEqual([WANT_CRC, ACK, NAK]);
    await link.say(clock, encodeBlock(2, new Uint8Array(128).fill(EOT), 'crc'));
    await link.say(clock, [EOT]);
    await link.say(clock, [EOT]);
    expect(await settled(clock, done)).toMatchObject({ outcome: 'complete', repeats: 1 });
    expect(store.files[0]?.bytes).toHaveLength(256);
  });

  describe('by YMODEM', () => {
    const announced = (text: string) => encodeBlock(0, name(text), 'crc', 0);

    async function oneFile(text: string, blocks: readonly Uint8Array[]) {
      const transfer = receiving('ymodem');
      const { clock, link } = transfer;
      await link.say(clock, announced(text));
      for (const [index, block] of blocks.entries()) {
        await link.say(clock, encodeBlock(index + 1, block, 'crc'));
      }
      await link.say(clock, [EOT]);
      await link.say(clock, [EOT]);
      return transfer;
    }

    it.each(['board> ', '\r\n$ ', 'CRC32: 0x1234 CRC OK\r\n>>> '])(
      'stops asking for a next file when %j comes, and keeps the whole one',
      async (prompt) => {
        const { clock, link, store, done } = await oneFile('f.bin\x00128 \x00', [data.subarray(0, 128)]);
        await link.say(clock, name(prompt));
        await clock.advance(300);
        const report = await done;
        expect(report).toMatchObject({ outcome: 'no-batch-end', files: [{ name: 'f.bin', state: 'complete' }] });
        expect(store.files[0]?.isWhole).toBe(true);
        expect(new TextDecoder().decode(report.rest)).toBe(prompt);
        expect(link.written).toEqual([WANT_CRC, ACK, WANT_CRC, ACK, NAK, ACK, WANT_CRC]);
      },
    );

    it('asks a silent board four times for a next file', async () => {
      const { clock, link, done } = await oneFile('f.bin\x00128 \x00', [data.subarray(0, 128)]);
      await clock.advance(12_000);
      expect(await done).toMatchObject({ outcome: 'no-batch-end', duration: 12_000 });
      expect(link.written.slice(6)).toEqual([WANT_CRC, WANT_CRC, WANT_CRC, WANT_CRC]);
    });

    it('keeps a file whole that is longer than announced, and says so', async () => {
      const { clock, store, done } = await oneFile('f.bin\x00100 \x00', [data.subarray(0, 128), data.subarray(0, 128)]);
      const report = await settled(clock, done);
      expect(report.files).toEqual([{ name: 'f.bin', bytes: 256, from: 0, state: 'complete', announced: 100 }]);
      expect(store.files[0]?.bytes).toEqual(Uint8Array.of(...data.subarray(0, 128), ...data.subarray(0, 128)));
    });

    it('leaves out a further block of nothing but padding', async () => {
      const { clock, store, done } = await oneFile('f.bin\x00128 \x00', [
        data.subarray(0, 128),
        new Uint8Array(128).fill(0x1a),
      ]);
      expect((await settled(clock, done)).files[0]).not.toHaveProperty('announced');
      expect(store.files[0]?.bytes).toEqual(data.subarray(0, 128));
    });

    it('says that a file is shorter than announced', async () => {
      const { clock, done } = await oneFile('f.bin\x005000 \x00', [data.subarray(0, 128)]);
      expect((await settled(clock, done)).files).toMatchObject([{ bytes: 128, state: 'complete', announced: 5_000 }]);
    });

    it('keeps all of a file whose announced size may be cut', async () => {
      const cut = encodeBlock(0, name(`${'a'.repeat(124)}\x00500`), 'crc', 0);
      const { clock, link, store, done } = receiving('ymodem');
      await link.say(clock, cut);
      for (let number = 1; number <= 5; number++) {
        await link.say(clock, encodeBlock(number, new Uint8Array(1_024).fill(number), 'crc'));
      }
      await link.say(clock, [EOT]);
      await link.say(clock, [EOT]);
      await settled(clock, done);
      expect(store.files[0]).toMatchObject({ offer: { size: null, modified: null }, isWhole: true });
      expect(store.files[0]?.bytes).toHaveLength(5_120);
    });
  });

  it('ends when the board prints text instead of the rest of a file, and leaves the text to the log', async () => {
    const { clock, link, store, done } = receiving('xmodem');
    await link.say(clock, encodeBlock(1, data.subarray(0, 128), 'crc'));
    await link.say(clock, name('\r\nboard> '));
    await clock.advance(10_000);
    const report = await done;
    expect(report.outcome).toBe('peer-left');
    expect(new TextDecoder().decode(report.rest)).toBe('\r\nboard> ');
    expect(store.files[0]?.isWhole).toBe(false);
    expect(link.written).toEqual([WANT_CRC, ACK, NAK]);
  });

  it('goes on after a line that the board prints between two blocks', async () => {
    const { clock, link, store, done } = receiving('xmodem');
    await link.say(clock, encodeBlock(1, data.subarray(0, 128), 'crc'));
    await link.say(clock, name('I (312) wifi: connected\r\n'));
    await clock.advance(1_000);
    await link.say(clock, encodeBlock(2, data.subarray(0, 128), 'crc'));
    await link.say(clock, [EOT]);
    await link.say(clock, [EOT]);
    expect(await settled(clock, done)).toMatchObject({ outcome: 'complete', repeats: 0 });
    expect(store.files[0]?.bytes).toHaveLength(256);
  });

  it('acknowledges a block that comes twice and stores it once', async () => {
    const { clock, link, store, done } = receiving('xmodem');
    await link.say(clock, encodeBlock(1, data.subarray(0, 128), 'crc'));
    await link.say(clock, encodeBlock(1, data.subarray(0, 128), 'crc'));
    await link.say(clock, [EOT]);
    await link.say(clock, [EOT]);
    expect(await settled(clock, done)).toMatchObject({ outcome: 'complete', repeats: 1 });
    expect(store.files[0]?.bytes).toEqual(data.subarray(0, 128));
    expect(link.written).toEqual([WANT_CRC, ACK, ACK, NAK, ACK]);
  });

  it('refuses a damaged block once the line is quiet', async () => {
    const { clock, link, done } = receiving('xmodem');
    const damaged = encodeBlock(1, data.subarray(0, 128), 'crc');
    damaged[50] = 0xee;
    await link.say(clock, damaged);
    expect(link.written).toEqual([WANT_CRC]);
    await clock.advance(1_000);
    expect(link.written).toEqual([WANT_CRC, NAK]);
    await link.say(clock, encodeBlock(1, data.subarray(0, 128), 'crc'));
    await link.say(clock, [EOT]);
    await link.say(clock, [EOT]);
    expect(await settled(clock, done)).toMatchObject({ outcome: 'complete', repeats: 1 });
  });

  it('ends when a block was lost for good, and cancels the sender', async () => {
    const { clock, link, store, done } = receiving('xmodem');
    await link.say(clock, encodeBlock(1, data.subarray(0, 128), 'crc'));
    await link.say(clock, encodeBlock(3, data.subarray(0, 128), 'crc'));
    expect(await settled(clock, done)).toMatchObject({ outcome: 'out-of-step' });
    expect(link.written.slice(2, 10)).toEqual(Array(8).fill(CAN));
    expect(store.files[0]?.isWhole).toBe(false);
  });

  it('takes two CANs for a cancel, and one for noise', async () => {
    const { clock, link, done } = receiving('xmodem');
    await link.say(clock, [CAN, 0x41]);
    await link.say(clock, encodeBlock(1, data.subarray(0, 128), 'crc'));
    expect(link.written).toEqual([WANT_CRC, ACK]);
    await link.say(clock, [CAN, CAN]);
    expect(await settled(clock, done)).toMatchObject({ outcome: 'peer-cancelled' });
    expect(link.written).toEqual([WANT_CRC, ACK]);
  });

  it('does not store more than a sender announced, or than fits', async () => {
    const { clock, link, store, done } = receiving('ymodem');
    await link.say(clock, encodeBlock(0, name(`big.bin\x00${2 ** 31}\x00`), 'crc', 0));
    expect(await settled(clock, done)).toMatchObject({ outcome: 'too-large' });
    expect(store.files).toEqual([]);
  });
});

describe('sending', () => {
  it('sends checksums and small blocks to a receiver that asks with NAK', async () => {
    const { clock, link, done } = sending('xmodem-1k', new Uint8Array(2_000));
    await link.say(clock, [NAK]);
    expect(link.take()).toHaveLength(132);
    await link.sayUntil(clock, done, ACK);
    expect(await done).toMatchObject({ outcome: 'complete', repeats: 0 });
  });

  it('does not take a C within text for a request', async () => {
    const { clock, link } = sending('xmodem');
    await link.say(clock, name('## Ready for binary (xmodem) download, CRC'));
    expect(link.written).toEqual([]);
    await link.say(clock, name('\r\nC'));
    expect(link.written.slice(0, 3)).toEqual([0x01, 1, 254]);
  });

  it('sends a tail in small blocks', async () => {
    const { clock, link } = sending('xmodem-1k', new Uint8Array(1_124));
    await link.say(clock, [WANT_CRC]);
    expect(link.take()).toHaveLength(1_029);
    await link.say(clock, [ACK]);
    expect(link.take()).toHaveLength(133);
  });

  it('repeats a block after NAK or fifteen seconds, and gives up after ten times', async () => {
    const { clock, link, done } = sending('xmodem');
    await link.say(clock, [WANT_CRC]);
    const block = link.take();
    await link.say(clock, [NAK]);
    expect(link.take()).toEqual(block);
    await clock.advance(15_000);
    expect(link.take()).toEqual(block);
    await clock.advance(105_000);
    expect(link.take()).toHaveLength(7 * 133);
    expect((await settled(clock, done)).outcome).toBe('too-many-errors');
  });

  it('ends when the receiver never asks', async () => {
    const { clock, done } = sending('ymodem');
    await clock.advance(60_000);
    expect((await settled(clock, done)).outcome).toBe('no-answer');
  });

  it.each([['ymodem'], ['xmodem']] as const)(
    'completes %s when the receiver prints instead of its last answer',
    async (protocol) => {
      const { clock, link, done } = sending(protocol, new Uint8Array(128));
      if (protocol === 'ymodem') {
        await link.say(clock, [WANT_CRC]);
        await link.say(clock, [ACK]);
      }
      await link.say(clock, [WANT_CRC]);
      await link.say(clock, [ACK]);
      expect(link.take().at(-1)).toBe(EOT);
      await link.say(clock, name('Received: CRC OK\r\n> '));
      const report = await settled(clock, done);
      expect(report).toMatchObject({ outcome: 'complete', repeats: 0, files: [{ state: 'complete' }] });
      expect(report.duration).toBeLessThan(15_000);
      expect(link.take()).toEqual([]);
    },
  );

  it('cancels a receiver again that asks for the first time after the cancel', async () => {
    const abort = new AbortController();
    const { clock, link, done } = sending('ymodem', data, abort.signal);
    abort.abort();
    await clock.advance(2_000);
    const cancel = link.take();
    await link.say(clock, [WANT_CRC]);
    await clock.advance(500);
    expect(link.take()).toEqual(cancel);
    await link.say(clock, name('Aborted'));
    expect((await settled(clock, done)).outcome).toBe('cancelled');
  });

  it('says that a receiver goes on asking after three cancels', async () => {
    const abort = new AbortController();
    const { clock, link, done } = sending('ymodem', data, abort.signal);
    abort.abort();
    await clock.settle();
    for (let cancels = 0; cancels < 3; cancels++) {
      await link.say(clock, [WANT_CRC]);
      await clock.advance(500);
    }
    expect((await settled(clock, done)).outcome).toBe('still-asking');
    expect(link.take()).toHaveLength(3 * 16);
  });

  it('cancels both sides and drains the line', async () => {
    const abort = new AbortController();
    const { clock, link, done } = sending('xmodem', data, abort.signal);
    await link.say(clock, [WANT_CRC]);
    link.take();
    abort.abort();
    await clock.settle();
    expect(link.take()).toEqual([...Array(8).fill(CAN), ...Array(8).fill(0x08)]);
    await link.say(clock, name('Aborted'));
    const report = await settled(clock, done);
    expect(report).toMatchObject({ outcome: 'cancelled', rest: new Uint8Array() });
    expect(clock.pending).toBe(0);
  });

  it('ends with the port', async () => {
    const { clock, link, done } = sending('xmodem');
    await link.say(clock, [WANT_CRC]);
    link.close();
    expect((await settled(clock, done)).outcome).toBe('closed');
  });

  it('says that a file can no longer be read', async () => {
    const clock = new VirtualClock();
    const link = new ScriptedLink();
    const file = { ...outgoing('f.bin', data), read: () => Promise.reject(new Error('gone')) };
    const done = sendFiles('xmodem', [file], { link, clock });
    await link.say(clock, [WANT_CRC]);
    expect((await settled(clock, done)).outcome).toBe('unreadable');
  });
});

/** Lets the cleaning up after a transfer pass. */
async function settled<Result>(clock: VirtualClock, done: Promise<Result>): Promise<Result> {
  await clock.advance(20_000);
  return done;
}
