import { VirtualClock } from '@wirebench/clock';
import { completeDecoder, libraryDecoders } from '@wirebench/contract/decoder-library';
import type { DecoderDraft } from '@wirebench/contract/decoders';
import { fileHash } from '@wirebench/frames/decoder-file';
import { readyReader } from '@wirebench/frames/ready-reader';
import { Bench } from '@wirebench/serial';
import { beforeEach, describe, expect, it } from 'vitest';
import { TrialWorker } from './trial-worker.ts';

/** A5, counter, value (u16 little-endian), sum. */
function frame(count: number, value: number): Uint8Array {
  const bytes = [0xa5, count, value & 0xff, value >> 8];
  return Uint8Array.from([...bytes, bytes.reduce((sum, byte) => sum + byte, 0) & 0xff]);
}

/** A draft without files. */
const draftOf = (content: DecoderDraft) => ({ content, files: new Map<string, Blob>() });

const struct: DecoderDraft = {
  name: 'struct',
  title: 'Struct',
  framing: { kind: 'length', start: ['A5'], length: 5 },
  order: 'little',
  fields: [{ name: 'value', type: 'u16', at: 2 }],
};

describe('trials of a decoder', () => {
  let clock: VirtualClock;
  let bench: Bench;
  let calls: TrialWorker['handlers'];
  /** Ports that were cut in another way. */
  let cuts: number[];

  beforeEach(() => {
    clock = new VirtualClock(1_000_000);
    bench = new Bench({ clock });
    cuts = [];
    calls = new TrialWorker(bench, async (port) => void cuts.push(port)).handlers;
  });

  const send = async (from: number, to: number) => {
    for (let count = from; count < to; count++) {
      bench.record(1, 'received', frame(count, 1_000 + 7 * count));
      await clock.advance(10);
    }
  };
  /** Rows of the log as frames: their words, or null. */
  const words = () =>
    bench
      .rows({ layout: 'text', anchor: { position: 0 }, count: 100, channels: ['received-1'] })
      .rows.map((row) => bench.frameOf(row)?.frame.sentence ?? null);

  it('guess how bytes are cut, with the checksum that agrees', async () => {
    await send(0, 40);
    const [first] = await calls.guessFramings(1);
    expect(first).toMatchObject({
      choice: 'fixed',
      framing: { kind: 'length', start: ['A5'], length: 5 },
      counts: { frames: 40, leftOvers: 0 },
      checksum: { checksum: { kind: 'sum8' }, agreed: 40, of: 40 },
    });
    const counted = await calls.countFraming(1, 'fixed', { kind: 'length', start: ['A5'], length: 6 });
    expect(counted.counts.frames).toBeLessThan(40);
  });

  it('decode the newest frames, with the place of each field in the content', async () => {
    await send(0, 40);
    const { faults, counts, frames, wanted } = await calls.tryDecoder(1, draftOf(struct), {
      at: 0,
      bytes: frame(3, 1_021),
    });
    expect(faults).toEqual([]);
    expect(counts).toMatchObject({ frames: 40, leftOvers: 0 });
    expect(frames.at(-1)?.fields).toEqual([{ name: 'value', from: 2, to: 4, text: '1273', place: '' }]);
    expect(wanted?.fields[0]?.text).toBe('1021');
  });

  it('find the checksum at the bytes that a person has named', async () => {
    await send(0, 20);
    const search = await calls.searchChecksums(1, draftOf(struct), { from: 4, to: 5, length: 5 });
    expect(search.findings[0]).toMatchObject({ checksum: { kind: 'sum8', from: 0 }, agreed: 20, of: 20 });
  });

  it('show the log with a decoder from then on, and held frames at once when only fields change', async () => {
    await send(0, 2);
    expect(words()).toEqual([null]);
    expect(await calls.applyDecoder(1, draftOf(struct), null)).toEqual([]);
    await send(2, 4);
    expect(words()).toEqual([null, 'value 1014', 'value 1021']);
    const scaled = { ...struct, fields: [{ name: 'speed', type: 'u16', at: 2, scale: 0.1, unit: 'rpm' }] } as const;
    expect(await calls.applyDecoder(1, draftOf({ ...scaled, fields: [...scaled.fields] }), null)).toEqual([]);
    expect(words()).toEqual([null, 'speed 101.4 rpm', 'speed 102.1 rpm']);
    await send(4, 5);
    expect(words().at(-1)).toBe('speed 102.8 rpm');
    expect(cuts).toEqual([1]);
  });

  it('count held frames again, by their new names', async () => {
    await calls.applyDecoder(1, draftOf(struct), null);
    await send(0, 3);
    const newest = () => {
      const frames = bench.frames(1);
      while (frames?.count()) {
        // The rest follows.
      }
      const [row] = frames?.overview.rows() ?? [];
      return { count: row?.count, names: row?.newest.fields.map(({ name }) => name) };
    };
    expect(newest()).toEqual({ count: 3, names: ['value'] });
    await calls.applyDecoder(1, draftOf({ ...struct, fields: [{ name: 'speed', type: 'u16', at: 2 }] }), null);
    expect(newest()).toEqual({ count: 3, names: ['speed'] });
  });

  it('leave the log as it was with a decoder that has a fault', async () => {
    await calls.applyDecoder(1, draftOf(struct), null);
    await send(0, 1);
    const faulty = { ...struct, fields: [{ name: 'value', type: 'bytes', at: 2 }] } as DecoderDraft;
    expect(await calls.applyDecoder(1, draftOf(faulty), null)).toEqual(['Field value needs a length.']);
    expect(words()).toEqual(['value 1000']);
    expect((await calls.tryDecoder(1, draftOf(faulty), null)).faults).toEqual(['Field value needs a length.']);
  });

  it('give the former decoder back, with its words for held frames', async () => {
    const { reader, isText } = await readyReader('modbus');
    bench.setDecoder(1, reader, isText);
    const modbus = completeDecoder(libraryDecoders.modbus);
    bench.record(1, 'received', Uint8Array.from(Buffer.from('010600070BB83F49', 'hex')));
    await clock.advance(2_000);
    const plain = words();
    expect(plain).toEqual(['write 7: 3000']);
    const registers = [{ name: 'speed', address: 7, unit: 'rpm' }];
    await calls.applyDecoder(1, draftOf({ ...libraryDecoders.modbus, registers }), modbus);
    expect(words()).toEqual(['write 7: speed 3000 rpm']);
    await calls.endTrial(1, false);
    expect(words()).toEqual(plain);
    expect(bench.decoderOf(1)?.reader).toBe(reader);
  });

  it('say which file is missing, and take one that is given', async () => {
    const table = new TextEncoder().encode('name,address\nspeed,7\n');
    const sha256 = fileHash(table);
    const files = [{ use: 'registers' as const, name: 'pump.csv', sha256 }];
    const content = { ...libraryDecoders.modbus, files };
    const { faults } = await calls.tryDecoder(1, draftOf(content), null);
    expect(faults).toEqual(['The file pump.csv is missing. Add it under Decoders.']);
    expect(await calls.applyDecoder(1, draftOf(content), null)).toEqual(faults);
    expect(bench.decoderOf(1)).toBeNull();
    const given = { content, files: new Map([[sha256, new Blob([table])]]) };
    expect(await calls.applyDecoder(1, given, null)).toEqual([]);
    expect(bench.decoderOf(1)).not.toBeNull();
  });

  it('leave another decoder alone that was chosen since', async () => {
    await calls.applyDecoder(1, draftOf(struct), null);
    bench.setDecoder(1, null);
    await calls.endTrial(1, false);
    expect(bench.decoderOf(1)).toBeNull();
    await calls.applyDecoder(1, draftOf(struct), null);
    await calls.endTrial(1, true);
    expect(bench.decoderOf(1)).not.toBeNull();
  });
});
