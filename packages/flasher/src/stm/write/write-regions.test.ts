import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WriteEvent } from '../../core/board.ts';
import { noise } from '../../testing/program.ts';
import { flashStart } from '../parts/flash-layout.ts';
import type { StmWriteOptions, StmWriteReport } from '../stm-board.ts';
import { StmError } from '../stm-failure.ts';
import { MemoryLoader } from '../testing/memory-loader.ts';
import { writeRegions } from './write-regions.ts';

const KIB = 1_024;
const never = new AbortController().signal;

function write(
  loader: MemoryLoader,
  regions: readonly { offset: number; bytes: Uint8Array }[],
  options: StmWriteOptions = {},
): Promise<StmWriteReport> {
  return writeRegions(loader, loader.board, regions, options, options.signal ?? never);
}

const at = (offset: number, bytes: Uint8Array) => ({ offset: flashStart + offset, bytes });
const erased = ({ log }: MemoryLoader) => log.filter((entry) => entry.startsWith('erase'));
const fail = (code: 'stopped-answering' | 'write-failed' | 'unplugged') => {
  throw new StmError(code);
};

describe('a write', () => {
  it('erases and writes only sectors that differ', async () => {
    const loader = new MemoryLoader();
    const image = noise(4 * KIB);
    loader.memory.set(image);
    loader.memory[2_100] = (image[2_100] ?? 0) ^ 1;
    const report = await write(loader, [at(0, image)]);
    expect(erased(loader)).toEqual(['erase 0x8000800']);
    expect(loader.memory.subarray(0, image.length)).toEqual(image);
    expect(report).toMatchObject({ state: 'complete', written: KIB, same: 3 * KIB, repeated: 0, kept: [] });
    expect(report.regions).toMatchObject([{ offset: flashStart, length: 4 * KIB, outcome: 'verified' }]);
  });

  it('touches nothing that is there already, and gives the proof all the same', async () => {
    const loader = new MemoryLoader();
    const image = noise(3_000);
    loader.memory.set(image);
    const report = await write(loader, [at(0, image)]);
    expect(loader.log).toEqual([]);
    expect(report).toMatchObject({
      written: 0,
      same: 3_000,
      regions: [{ outcome: 'same', proof: { kind: 'read-back' } }],
    });
    expect(report.regions[0]?.proof?.value).toMatch(/^[\da-f]{64}$/);
  });

  it('keeps what shares a sector with a region, on both sides of it, and says so', async () => {
    const loader = new MemoryLoader();
    const before = noise(4 * KIB, 7);
    loader.memory.set(before);
    const image = noise(1_500);
    const report = await write(loader, [at(700, image)]);
    const expected = before.slice();
    expected.set(image, 700);
    expect(loader.memory.subarray(0, 4 * KIB)).toEqual(expected);
    expect(report.kept).toEqual([
      { offset: flashStart, length: 700 },
      { offset: flashStart + 2_200, length: 872 },
    ]);
  });

  it('holds whatever regions there are, and whatever was there before', async () => {
    const region = fc.record({
      offset: fc.integer({ min: 0, max: 15_000 }),
      length: fc.integer({ min: 1, max: 3_000 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(region, { minLength: 1, maxLength: 4 }),
        fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }),
        fc.boolean(),
        fc.constantFrom(0xff, 0x00),
        async (wanted, filled, checksum, erasedValue) => {
          const loader = new MemoryLoader({ checksum, erasedValue });
          for (const [index, isFilled] of filled.entries()) {
            loader.memory.set(isFilled ? noise(KIB, index + 1) : [], index * KIB);
          }
          const expected = loader.memory.slice();
          let free = 0;
          const regions = wanted
            .toSorted((one, other) => one.offset - other.offset)
            .flatMap(({ offset, length }, index) => {
              const start = Math.max(free, offset);
              const end = Math.min(start + length, 16 * KIB);
              free = Math.max(free, end);
              return start < end ? [at(start, noise(end - start, index + 50))] : [];
            });
          for (const { offset, bytes } of regions) {
            expected.set(bytes, offset - flashStart);
          }
          const report = await write(loader, regions);
          expect(Buffer.compare(loader.memory, expected)).toBe(0);
          expect(report.written + report.same).toBe(regions.reduce((sum, { bytes }) => sum + bytes.length, 0));
          expect(report.regions).toHaveLength(regions.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('leaves blocks out that are empty, and proves them', async () => {
    const loader = new MemoryLoader();
    loader.memory.fill(0x55);
    const image = new Uint8Array(2 * KIB).fill(0xff);
    image.fill(1, 0, 100);
    await write(loader, [at(0, image)]);
    expect(loader.log.filter((entry) => entry.startsWith('write'))).toEqual(['write 0x8000000']);
    expect(loader.memory.subarray(0, image.length)).toEqual(image);
  });

  it('uses the checksum where the bootloader has one', async () => {
    const loader = new MemoryLoader({ checksum: true });
    const reads: number[] = [];
    loader.fault = (step, address) => step === 'read' && reads.push(address);
    const image = noise(4 * KIB);
    const report = await write(loader, [at(0, image)]);
    expect(report.regions[0]?.proof).toMatchObject({ kind: 'crc32' });
    // Only the first comparison of each sector that differs was read.
    expect(reads).toHaveLength(4);
    await write(loader, [at(0, image)]);
    expect(reads).toHaveLength(4);
  });

  it('reads every byte of regions that a checksum of words does not cover, and says so', async () => {
    const loader = new MemoryLoader({ checksum: true });
    const reads: number[] = [];
    loader.fault = (step, address) => step === 'read' && reads.push(address);
    const report = await write(loader, [at(0, noise(4 * KIB - 1))]);
    expect(report.regions[0]?.proof?.kind).toBe('read-back');
    expect(new Set(reads).size).toBeGreaterThanOrEqual(16);
  });

  it('reports how far it is, and never goes backwards', async () => {
    const loader = new MemoryLoader();
    const events: WriteEvent[] = [];
    const image = noise(10 * KIB);
    loader.memory.set(image.subarray(0, 3 * KIB));
    await write(loader, [at(0, image)], { onEvent: (event) => events.push(event) });
    expect(events).toContainEqual({ type: 'compared', same: 3 * KIB, toWrite: 7 * KIB });
    const done = events.flatMap((event) => (event.type === 'progress' ? [event.done] : []));
    expect(done).toEqual(done.toSorted((one, other) => one - other));
    expect(done.at(-1)).toBe(10 * KIB);
    expect(events.at(-1)).toMatchObject({ type: 'region', outcome: 'verified' });
  });

  it('moves on while it reads, since that takes as long as sending', async () => {
    const loader = new MemoryLoader();
    const done: Record<string, number[]> = {};
    const onEvent = (event: WriteEvent) => {
      if (event.type === 'progress') {
        done[event.phase] = [...(done[event.phase] ?? []), event.done];
      }
    };
    // Slow enough, because reports within a shorter time are skipped.
    loader.blockTime = 60;
    await write(loader, [at(0, noise(8 * KIB))], { onEvent });
    expect(Math.max(...(done['writing'] ?? []))).toBe(4 * KIB);
    expect(new Set(done['verifying']).size).toBeGreaterThan(8);
  });
});

describe('before anything is erased', () => {
  it.each([
    ['firmware for another series', { model: 'stm32l' as const }, at(0, new Uint8Array(8)), 'wrong-chip'],
    ['more than the flash holds', {}, at(0, new Uint8Array(17 * KIB)), 'too-large'],
    ['what ends behind the flash', {}, at(15 * KIB, new Uint8Array(2 * KIB)), 'too-large'],
    ['an address outside of it', {}, { offset: 0x2000_0000, bytes: new Uint8Array(8) }, 'outside-flash'],
  ])('refuses %s', async (_name, options, region, code) => {
    const loader = new MemoryLoader();
    await expect(write(loader, [region], options)).rejects.toMatchObject({ code, state: 'unchanged' });
    expect(loader.log).toEqual([]);
  });
});

describe('a write that goes wrong', () => {
  it('goes on behind a block whose acknowledgement was lost', async () => {
    const loader = new MemoryLoader();
    let faults = 1;
    const image = noise(4 * KIB);
    loader.fault = (step, address) => {
      if (step === 'write' && address === flashStart + 512 && faults-- > 0) {
        loader.program(address, image.subarray(512, 768));
        fail('stopped-answering');
      }
    };
    const report = await write(loader, [at(0, image)]);
    expect(report.repeated).toBe(1);
    expect(erased(loader)).toHaveLength(4);
    expect(loader.memory.subarray(0, image.length)).toEqual(image);
  });

  it('sends a block again that never arrived', async () => {
    const loader = new MemoryLoader();
    let faults = 1;
    loader.fault = (step, address) => {
      if (step === 'write' && address === flashStart + 512 && faults-- > 0) {
        fail('stopped-answering');
      }
    };
    const image = noise(4 * KIB);
    await write(loader, [at(0, image)]);
    expect(erased(loader)).toHaveLength(4);
    expect(loader.memory.subarray(0, image.length)).toEqual(image);
  });

  it('erases once more when a block is there in part', async () => {
    const loader = new MemoryLoader();
    let faults = 1;
    const image = noise(4 * KIB);
    loader.fault = (step, address) => {
      if (step === 'write' && address === flashStart + 512 && faults-- > 0) {
        loader.program(address, image.subarray(512, 600));
        fail('write-failed');
      }
    };
    await write(loader, [at(0, image)]);
    expect(erased(loader)).toHaveLength(8);
    expect(loader.memory.subarray(0, image.length)).toEqual(image);
  });

  it('reads once more what came back damaged, and does not erase for it', async () => {
    const loader = new MemoryLoader();
    let damages = 1;
    loader.misread = (address, bytes) => {
      if (loader.log.length > 8 && address === flashStart + 256 && damages-- > 0) {
        bytes[3] = (bytes[3] ?? 0) ^ 1;
      }
    };
    const report = await write(loader, [at(0, noise(4 * KIB))]);
    expect(report.repeated).toBe(0);
    expect(damages).toBeLessThan(1);
  });

  it('does not keep a damaged reading of what it keeps', async () => {
    const loader = new MemoryLoader();
    const before = noise(KIB, 3);
    loader.memory.set(before);
    let damages = 1;
    loader.misread = (address, bytes) => {
      if (address > flashStart + 100 && damages-- > 0) {
        bytes[3] = (bytes[3] ?? 0) ^ 1;
      }
    };
    await write(loader, [at(0, noise(100))]);
    expect(loader.memory.subarray(100, KIB)).toEqual(before.subarray(100));
  });

  it('says that sectors are write-protected when nothing changed', async () => {
    const loader = new MemoryLoader();
    loader.memory.set(noise(2 * KIB, 5));
    loader.protectedCodes.add(1);
    await expect(write(loader, [at(0, noise(2 * KIB))])).rejects.toMatchObject({
      code: 'write-protected',
      state: 'incomplete',
    });
  });

  it('gives up a flash that does not hold what is written', async () => {
    const loader = new MemoryLoader();
    loader.misread = (address, bytes) => {
      if (address === flashStart) {
        bytes[0] = 0x11;
      }
    };
    const image = noise(KIB).fill(0x22, 0, 1);
    await expect(write(loader, [at(0, image)])).rejects.toMatchObject({ code: 'verify-mismatch', state: 'incomplete' });
    expect(erased(loader).length).toBeLessThanOrEqual(3);
  });

  it('hands out what it had read to keep and could not write back; the same call with it makes all of it good', async () => {
    const loader = new MemoryLoader();
    const before = noise(2 * KIB, 9);
    loader.memory.set(before);
    loader.fault = (step) => step === 'write' && fail('unplugged');
    const image = noise(1_200);
    const failure = await write(loader, [at(0, image)]).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unplugged', state: 'incomplete' });
    const { unrestored } = failure as StmError;
    expect(unrestored).toEqual([at(1_200, before.subarray(1_200))]);
    loader.fault = () => undefined;
    await write(loader, [at(0, image), ...unrestored]);
    expect(loader.memory.subarray(0, 2 * KIB)).toEqual(Uint8Array.of(...image, ...before.subarray(1_200)));
  });

  it('is taken up by the same call, which writes only what is left', async () => {
    const loader = new MemoryLoader();
    const image = noise(16 * KIB);
    // A sector lies between two regions, so that each is a separate run.
    const regions = Array.from({ length: 8 }, (_, index) =>
      at(index * 2 * KIB, image.subarray(index * KIB, (index + 1) * KIB)),
    );
    loader.fault = (step, address) => step === 'write' && address === flashStart + 8 * KIB && fail('unplugged');
    await expect(write(loader, regions)).rejects.toMatchObject({ code: 'unplugged' });
    loader.fault = () => undefined;
    const report = await write(loader, regions);
    expect(report).toMatchObject({ same: 4 * KIB, written: 4 * KIB });
  });

  it('ends when it is cancelled, and says what state the board is in', async () => {
    const loader = new MemoryLoader();
    const abort = new AbortController();
    loader.fault = (step, address) => step === 'write' && address === flashStart + KIB && abort.abort();
    await expect(write(loader, [at(0, noise(4 * KIB))], { signal: abort.signal })).rejects.toMatchObject({
      code: 'cancelled',
      state: 'incomplete',
    });
  });
});
