/**
 * How long a write will take, before it begins. The wire and the flash work at the same time, so the slower one counts.
 * Only an estimate: the writer tells better as soon as it runs.
 */
import { deflateSync } from 'fflate';
import { type FlashRegion, sectorSize } from '../../core/region.ts';

/** Start bit, eight data bits, stop bit. */
const BITS_A_BYTE = 10;
/** Bytes a millisecond that a chip's own USB Serial/JTAG takes: what full-speed USB leaves. */
const USB_RATE = 800;
/** Of frames, escapes and acknowledgements. */
const OVERHEAD = 1.04;
/** Typical times of a NOR chip (such as Winbond W25Q32JV, "AC Electrical Characteristics"), in milliseconds. */
const flashTime = { sectorErase: 45, blockErase: 150, pageProgram: 0.4 };
const BLOCK = 65_536;
const PAGE = 256;

const SAMPLE_SIZE = 32_768;
const SAMPLES = 8;
/** As fast as a stub's data deserve; the writer packs a little better. */
const SAMPLE_LEVEL = 6;

/** Packed size divided by size, from samples all over the regions; 1 for no bytes. Takes some milliseconds. */
export function sampleCompression(regions: readonly Pick<FlashRegion, 'bytes'>[]): number {
  const total = regions.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const step = Math.max(SAMPLE_SIZE, total / SAMPLES);
  let [size, packed, passed, next] = [0, 0, 0, 0];
  for (const { bytes } of regions) {
    while (next < passed + bytes.length) {
      const sample = bytes.subarray(next - passed, next - passed + SAMPLE_SIZE);
      size += sample.length;
      packed += deflateSync(sample, { level: SAMPLE_LEVEL }).length;
      next = Math.ceil(next + step);
    }
    passed += bytes.length;
  }
  return size === 0 ? 1 : packed / size;
}

export interface EspTimeInput {
  readonly regions: readonly Pick<FlashRegion, 'offset' | 'bytes'>[];
  /** Baud; null on a chip's own USB port, where none counts. */
  readonly baudRate: number | null;
  /** Of `sampleCompression`; 1 where nothing is compressed. */
  readonly compression: number;
  readonly eraseAll: boolean;
  /** Bytes; null when it is not known. */
  readonly flashSize: number | null;
}

/** Milliseconds. */
export function estimateEspTime({ regions, baudRate, compression, eraseAll, flashSize }: EspTimeInput): number {
  const bytes = regions.reduce((sum, region) => sum + region.bytes.length, 0);
  const rate = baudRate === null ? USB_RATE : baudRate / BITS_A_BYTE / 1_000;
  const wire = (bytes * Math.min(compression, 1) * OVERHEAD) / rate;
  const program = Math.ceil(bytes / PAGE) * flashTime.pageProgram;
  const erase = eraseAll ? 0 : regions.reduce((sum, region) => sum + eraseTime(region), 0);
  const eraseFirst = eraseAll ? Math.ceil((flashSize ?? bytes) / BLOCK) * flashTime.blockErase : 0;
  return eraseFirst + Math.max(wire, erase + program);
}

/** Whole blocks at once, the rest by sectors. */
function eraseTime({ offset, bytes }: Pick<FlashRegion, 'offset' | 'bytes'>): number {
  const end = Math.ceil((offset + bytes.length) / sectorSize) * sectorSize;
  const [firstBlock, lastBlock] = [Math.ceil(offset / BLOCK) * BLOCK, Math.floor(end / BLOCK) * BLOCK];
  if (firstBlock >= lastBlock) {
    return ((end - offset) / sectorSize) * flashTime.sectorErase;
  }
  const sectors = (firstBlock - offset + (end - lastBlock)) / sectorSize;
  return ((lastBlock - firstBlock) / BLOCK) * flashTime.blockErase + sectors * flashTime.sectorErase;
}
