import * as fc from 'fast-check';
import { Unzlib, unzlibSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { type FlashRegion, splitIntoRegions } from '../../core/region.ts';
import { FrameDecoder } from '../../slip.ts';
import { noise, program } from '../../testing/program.ts';
import type { Chip } from '../chips/chip.ts';
import { chipNames } from '../chips/chip-facts.ts';
import { esp32 } from '../chips/esp32.ts';
import { esp32c6 } from '../chips/esp32c6.ts';
import { esp8266 } from '../chips/esp8266.ts';
import { loadChip } from '../chips/load-chip.ts';
import type { EspLink } from '../esp-info.ts';
import { type FlashAbility, flashAbility } from '../flash-ability.ts';
import { ops } from '../protocol/commands.ts';
import { esp8266EraseSize, esp8266ErasesMore, loadRun, runsOf } from './run-load.ts';

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => (index * index) >> 7);

interface Situation {
  readonly chip: Chip;
  readonly runsStub: boolean;
  readonly link?: EspLink;
  readonly secureDownload?: boolean;
}

/** Returns the requests of regions that are written in one pass. */
function onePass(regions: readonly FlashRegion[], ability: FlashAbility) {
  const [pass, ...others] = loadRun(regions, ability).passes;
  if (pass === undefined || others.length > 0) {
    throw new Error('These regions are not written in one pass.');
  }
  return pass;
}

function loadRegion(region: FlashRegion, ability: FlashAbility) {
  return onePass([region], ability);
}

function abilityIn({ chip, runsStub, link = 'uart', secureDownload = false }: Situation) {
  return flashAbility({ chip, program: runsStub ? 'stub' : 'rom', link, secureDownload });
}

/** Returns the payload of a frame after its eight header bytes, as words. */
function words(frame: Uint8Array): number[] {
  let payload = new Uint8Array();
  const decoder = new FrameDecoder({
    frame: (content) => {
      payload = content.slice(8);
      return true;
    },
    text: () => undefined,
  });
  decoder.push(frame);
  const view = new DataView(payload.buffer);
  return Array.from({ length: Math.min(5, payload.length >> 2) }, (_, index) => view.getUint32(index * 4, true));
}

function block(frame: Uint8Array): Uint8Array {
  let content = new Uint8Array();
  new FrameDecoder({
    frame: (payload) => {
      content = payload.slice(24);
      return true;
    },
    text: () => undefined,
  }).push(frame);
  return content;
}

describe('requests of a run', () => {
  it('tell the stub how much there will be, in blocks of 16 KiB', () => {
    const load = loadRegion({ offset: 0x1_0000, bytes: bytes(100_000) }, abilityIn({ chip: esp32, runsStub: true }));
    expect(words(load.begin.frame)).toEqual([100_000, load.blocks, 0x4000, 0x1_0000, 0]);
    expect(load.erasesFirst).toBe(false);
  });

  it('ask a ROM to erase what is written, with the fifth word where the ROM has one', () => {
    const region = { offset: 0x1_0000, bytes: bytes(100_000) };
    const old = loadRegion(region, abilityIn({ chip: esp32, runsStub: false }));
    expect(words(old.begin.frame)).toEqual([100_000, 98, 0x400, 0x1_0000]);
    const recent = loadRegion(region, abilityIn({ chip: esp32c6, runsStub: false }));
    expect(words(recent.begin.frame)).toEqual([100_000, 98, 0x400, 0x1_0000, 0]);
    expect(recent.erasesFirst).toBe(true);
  });

  it('are compressed without the stub only where the ROM is proven to touch nothing else', async () => {
    const region = { offset: 0x1_0000, bytes: bytes(100_000) };
    const compressed: string[] = [];
    for (const name of chipNames) {
      const chip = await loadChip(name);
      const load = loadRun([region], abilityIn({ chip, runsStub: false }));
      if (load.passes.some(({ begin }) => begin.op === ops.deflBegin)) {
        compressed.push(name);
      }
    }
    expect(compressed).toEqual(['esp32c3']);
  });

  it('are one zlib stream of the region', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 70_000 }), (content) => {
        const load = loadRegion(
          { offset: 0, bytes: content },
          abilityIn({ chip: esp32, runsStub: true, link: 'usb-otg' }),
        );
        const blocks = Array.from({ length: load.blocks }, (_, index) => [...block(load.block(index).frame)]);
        expect(blocks.every((part) => part.length <= 0x800)).toBe(true);
        expect(unzlibSync(Uint8Array.from(blocks.flat()))).toEqual(content);
      }),
      { numRuns: 20 },
    );
  });

  it('are one stream for adjacent regions', () => {
    const content = bytes(300_000);
    const regions = splitIntoRegions(0x1_0000, content, 0x1_0000);
    const load = onePass(regions, abilityIn({ chip: esp32, runsStub: true }));
    const blocks = Array.from({ length: load.blocks }, (_, index) => [...block(load.block(index).frame)]);
    expect(unzlibSync(Uint8Array.from(blocks.flat()))).toEqual(content);
    expect(words(load.begin.frame)[0]).toBe(content.length);
  });

  it('give the stub its first window in a block of its own', () => {
    const content = program(100_000);
    const load = loadRegion({ offset: 0, bytes: content }, abilityIn({ chip: esp32, runsStub: true }));
    const inflated: Uint8Array[] = [];
    const inflate = new Unzlib((piece) => inflated.push(piece));
    const first = block(load.block(0).frame);
    inflate.push(first);
    const length = inflated.reduce((sum, piece) => sum + piece.length, 0);
    expect(first.length).toBeLessThan(0x4000);
    expect(length).toBeGreaterThanOrEqual(0x8000);
    expect(length).toBeLessThan(0x9000);
  });

  it('say how far each block brings the image, which differs widely with what it holds', () => {
    const image = new Uint8Array(200_000);
    image.set(noise(30_000));
    const { blocks, endOf } = loadRegion({ offset: 0, bytes: image }, abilityIn({ chip: esp32, runsStub: true }));
    const ends = Array.from({ length: blocks }, (_, index) => endOf(index));
    expect(ends.at(-1)).toBe(image.length);
    expect(ends).toEqual(ends.toSorted((one, other) => one - other));
    expect(ends[0]).toBeLessThan(17_000);
    expect(Math.max(...ends.map((end, index) => end - (ends[index - 1] ?? 0)))).toBeGreaterThan(150_000);
    const plain = loadRegion({ offset: 0, bytes: bytes(1_500) }, abilityIn({ chip: esp32, runsStub: false }));
    expect([plain.endOf(0), plain.endOf(1)]).toEqual([1_024, 1_500]);
  });

  it('are those of runs without gaps for the stub, and of single regions for a ROM', () => {
    const parts = [...splitIntoRegions(0, bytes(0x3000), 0x1000), ...splitIntoRegions(0x8000, bytes(0x1800), 0x1000)];
    const targets = parts.map((region) => ({ region }));
    const lengths = (ability: FlashAbility) => runsOf(targets, ability).map((run) => run.length);
    expect(lengths(abilityIn({ chip: esp32, runsStub: true }))).toEqual([3, 2]);
    expect(lengths(abilityIn({ chip: esp32, runsStub: false }))).toEqual([1, 1, 1, 1, 1]);
  });

  it('are those of runs that end', () => {
    const targets = splitIntoRegions(0, new Uint8Array(10 * 0x1_0000), 0x1_0000).map((region) => ({ region }));
    expect(runsOf(targets, abilityIn({ chip: esp32, runsStub: true })).map((run) => run.length)).toEqual([4, 4, 2]);
  });

  it('are plain in Secure Download Mode, the last block filled up as erased flash is', () => {
    const situation = { chip: esp32c6, runsStub: false, secureDownload: true };
    const load = loadRegion({ offset: 0, bytes: bytes(1_500) }, abilityIn(situation));
    expect(load.begin.op).toBe(0x02);
    expect(load.blocks).toBe(2);
    expect(block(load.block(1).frame).subarray(476)).toEqual(new Uint8Array(0x400 - 476).fill(0xff));
  });

  it.each([
    // Sectors of the region, its first sector, sectors requested from the ESP8266's ROM.
    [1, 0, 1],
    [16, 0, 8],
    [32, 0, 16],
    [40, 0, 24],
    [10, 15, 9],
    [3, 14, 2],
    [2, 0, 1],
  ])('go around the erase bug of the ESP8266: %i sectors from %i', (sectors, first, asked) => {
    const region = { offset: first * 4_096, bytes: new Uint8Array(sectors * 4_096) };
    expect(esp8266EraseSize(region.offset, region.bytes.length)).toBe(asked * 4_096);
    const [load] = loadRun([region], abilityIn({ chip: esp8266, runsStub: false })).passes;
    if (!esp8266ErasesMore(region.offset, region.bytes.length)) {
      expect(words(load?.begin.frame ?? bytes(0))[0]).toBe(asked * 4_096);
    }
  });

  it('erase nothing else on the ESP8266, but for a single sector', () => {
    /** Returns the sectors that its ROM erases ("Serial Protocol", ESP8266, section "Erase Size Bug"). */
    const erased = (offset: number, asked: number) => {
      const head = 16 - ((offset / 4_096) % 16);
      return asked <= head ? asked * 2 : asked + head;
    };
    const image = new Uint8Array(40 * 4_096);
    for (let first = 0; first < 16; first++) {
      for (let sectors = 2; sectors <= 40; sectors++) {
        const region = { offset: first * 4_096, bytes: image.subarray(0, sectors * 4_096 - 100) };
        const { passes } = loadRun([region], abilityIn({ chip: esp8266, runsStub: false }));
        for (const { begin, blocks, length } of passes) {
          const [size = 0, announced, , offset = 0] = words(begin.frame);
          expect(announced).toBe(blocks);
          expect(erased(offset, size / 4_096), `${sectors} sectors from ${first}`).toBe(Math.ceil(length / 4_096));
        }
        const written = passes.reduce((sum, { length }) => sum + length, 0);
        expect(written - (passes.length === 1 ? 0 : 4_096)).toBe(region.bytes.length);
      }
    }
  });

  it('take a single sector together with what is before it on the ESP8266', () => {
    const parts = splitIntoRegions(0x1_0000, bytes(0x2_1000), 0x1_0000).map((region) => ({ region }));
    const runs = runsOf(parts, abilityIn({ chip: esp8266, runsStub: false }));
    expect(runs.map((run) => run.length)).toEqual([1, 2]);
  });
});
