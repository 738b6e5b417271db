/** XMODEM and YMODEM on a virtual clock, against a scripted other side. */
import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { ACK, CAN, EOT, encodeBlock, NAK, WANT_CRC } from './block.ts';
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
