/**
 * Estimates the duration of a write before it begins. Wire and flash work in parallel, so the slower one counts. The
 * writer gives better estimates once it runs.
 */
import { deflateSync } from 'fflate';
import { type FlashRegion, sectorSize } from '../../core/region.ts';

/** Bits on the wire per byte: start bit, eight data bits, stop bit. */
const BITS_A_BYTE = 10;
/** Bytes per millisecond over a chip's own USB Serial/JTAG, limited by full-speed USB. */
const USB_RATE = 800;
/** Factor for frames, escapes and acknowledgements. */
const OVERHEAD = 1.04;
/** Typical times of a NOR chip in milliseconds (for example Winbond W25Q32JV, "AC Electrical Characteristics"). */
const flashTime = { sectorErase: 45, blockErase: 150, pageProgram: 0.4 };
const BLOCK = 65_536;
const PAGE = 256;

const SAMPLE_SIZE = 32_768;
const SAMPLES = 8;
/** Compression level for samples. The writer compresses slightly better. */
const SAMPLE_LEVEL = 6;

/**
 * Returns the compressed size divided by the size, estimated from samples across the regions; 1 for no bytes. Takes
 * some milliseconds.
 */
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
  /** In baud; null on a chip's own USB port, which ignores it. */
  readonly baudRate: number | null;
  /** Result of `sampleCompression`; 1 if data is sent uncompressed. */
  readonly compression: number;
  readonly eraseAll: boolean;
  /** In bytes; null if unknown. */
  readonly flashSize: number | null;
}

/** Returns the estimated duration in milliseconds. */
export function estimateEspTime({ regions, baudRate, compression, eraseAll, flashSize }: EspTimeInput): number {
  const bytes = regions.reduce((sum, region) => sum + region.bytes.length, 0);
  const rate = baudRate === null ? USB_RATE : baudRate / BITS_A_BYTE / 1_000;
  const wire = (bytes * Math.min(compression, 1) * OVERHEAD) / rate;
  const program = Math.ceil(bytes / PAGE) * flashTime.pageProgram;
  const erase = eraseAll ? 0 : regions.reduce((sum, region) => sum + eraseTime(region), 0);
  const eraseFirst = eraseAll ? Math.ceil((flashSize ?? bytes) / BLOCK) * flashTime.blockErase : 0;
  return eraseFirst + Math.max(wire, erase + program);
}

/** Returns the erase time in milliseconds: whole blocks at once, the rest by sectors. */
function eraseTime({ offset, bytes }: Pick<FlashRegion, 'offset' | 'bytes'>): number {
  const end = Math.ceil((offset + bytes.length) / sectorSize) * sectorSize;
  const [firstBlock, lastBlock] = [Math.ceil(offset / BLOCK) * BLOCK, Math.floor(end / BLOCK) * BLOCK];
  if (firstBlock >= lastBlock) {
    return ((end - offset) / sectorSize) * flashTime.sectorErase;
  }
  const sectors = (firstBlock - offset + (end - lastBlock)) / sectorSize;
  return ((lastBlock - firstBlock) / BLOCK) * flashTime.blockErase + sectors * flashTime.sectorErase;
}
