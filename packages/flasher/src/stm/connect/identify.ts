/**
 * Identifies the part on a UART: product ID, flash size, unique ID, option bytes, read protection. Values that the
 * bootloader refuses to read stay unknown, without failing the connection.
 */
import { hexNumber, hexOf, isBlank, isFilledWith, isSame, viewOf } from '../../core/bytes.ts';
import type { FlashRange } from '../../core/region.ts';
import { maximumTries } from '../../core/retry.ts';
import type { UartLoader } from '../an3155/uart-loader.ts';
import type { StmFamily } from '../parts/families.ts';
import { flashStart, type Sector } from '../parts/flash-layout.ts';
import { sectorsOfPart } from '../parts/layout-option.ts';
import { modelOf } from '../parts/model.ts';
import { factsOf, partOf, type StmPart, stmNameOf } from '../parts/part-table.ts';
import { describeOptions } from '../parts/read-options.ts';
import type { StmInfo } from '../stm-board.ts';
import { StmError } from '../stm-failure.ts';
import { readTwice, retryOn } from '../write/stm-retry.ts';

const KIB = 1_024;

/** A board's information, and the facts that its writer needs. */
export interface KnownBoard {
  readonly info: StmInfo;
  readonly sectors: readonly Sector[];
  /** Bytes that are programmed at once. */
  readonly granularity: number;
  readonly massErase: boolean;
  /** True: a reset would start the bootloader again, so only Go starts a program. */
  readonly startsByGo: boolean;
}

/** Facts assumed for a part that is not in the table. */
const unknownPart = { erasedValue: 0xff, granularity: 8, massErase: true } as const;

/**
 * Identifies the part.
 *
 * @throws StmError, PortError, or the reason of the signal.
 */
export async function identifyUart(loader: UartLoader, signal: AbortSignal): Promise<KnownBoard> {
  const askId = () => retryOn(loader, signal, () => loader.productId(signal));
  const productId = await readTwice(askId, (one, other) => one === other);
  const part = partOf(productId);
  const { version } = loader.facts;
  const isProtected = !(await mayRead(loader, signal));
  const basics = {
    link: 'uart',
    productId,
    bootloaderVersion: version,
    protection: isProtected ? 'read-protected' : 'none',
  } as const;
  if (part === null) {
    const { erasedValue, granularity, massErase } = unknownPart;
    const name = `${stmNameOf(productId) ?? 'STM32'} (${hexNumber(productId, 3)})`;
    const nothing = { family: null, model: null, flashSize: null, sectors: [], optionBytes: null, uniqueId: null };
    const info = { ...basics, ...nothing, name, erasedValue };
    return { info, sectors: [], granularity, massErase, startsByGo: false };
  }
  const facts = factsOf(part);
  const readable = isProtected ? nothingRead : await readSignature(loader, part, facts, signal);
  const { flashSize, uniqueId, optionBytes } = readable;
  const sectors = sectorsOfPart(part, flashSize ?? part.largestFlash, optionBytes);
  const { name, family } = part;
  return {
    info: {
      ...basics,
      name,
      family,
      model: modelOf(family),
      flashSize,
      sectors,
      erasedValue: facts.erasedValue,
      uniqueId,
      optionBytes:
        optionBytes === null || facts.optionBytes === null
          ? null
          : describeOptions(family, facts.optionBytes, optionBytes),
    },
    sectors,
    granularity: facts.granularity,
    massErase: facts.massErase,
    startsByGo: part.emptyCheck === true && readable.isEmpty,
  };
}

interface Signature {
  readonly flashSize: number | null;
  readonly uniqueId: string | null;
  readonly optionBytes: Uint8Array | null;
  /** True: flash is empty at the address where the part starts. */
  readonly isEmpty: boolean;
}

const nothingRead: Signature = { flashSize: null, uniqueId: null, optionBytes: null, isEmpty: false };

/** Returns true if flash can be read. A damaged byte may cause a single refusal, so only a repeated one counts. */
async function mayRead(loader: UartLoader, signal: AbortSignal): Promise<boolean> {
  for (let attempt = 0; attempt < maximumTries; attempt++) {
    if (await retryOn(loader, signal, () => loader.mayRead(signal))) {
      return true;
    }
  }
  return false;
}

async function readSignature(
  loader: UartLoader,
  part: StmPart,
  { flashSizeRegister, uniqueId, optionBytes, erasedValue }: StmFamily,
  signal: AbortSignal,
): Promise<Signature> {
  const size = await readNear(loader, { offset: flashSizeRegister, length: 2 }, signal);
  const start = await readNear(loader, { offset: flashStart, length: 4 }, signal);
  const words: Uint8Array[] = [];
  for (const offset of uniqueId) {
    const word = await readNear(loader, { offset, length: 4 }, signal);
    if (word !== null) {
      words.push(word);
    }
  }
  const options = optionBytes === null ? null : await readNear(loader, optionBytes, signal);
  return {
    flashSize: size === null ? null : flashSizeOf(part, viewOf(size).getUint16(0, true)),
    uniqueId: words.length < 3 || words.every(isBlank) ? null : words.map(bigEndianHex).join(''),
    // A part whose flash can be read has a protection byte that is neither 0x00 nor 0xFF.
    optionBytes: options === null || isBlank(options) ? null : options,
    isEmpty: start !== null && isFilledWith(start, erasedValue),
  };
}

/**
 * Reads a range. Some bootloaders (F4, L0) allow reads of system memory only from the start of 256 bytes, so that is
 * tried if the range is refused. Returns null if both are refused.
 */
async function readNear(
  loader: UartLoader,
  { offset, length }: FlashRange,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const word = offset - (offset % 4);
  const page = offset - (offset % 256);
  const end = Math.ceil((offset + length) / 4) * 4;
  const readFrom = async (start: number) => {
    try {
      return await loader.read(start, Math.min(end - start, 256), signal);
    } catch (error) {
      if (error instanceof StmError && error.code === 'outside-flash') {
        return null;
      }
      throw error;
    }
  };
  for (const start of new Set([word, page])) {
    const bytes = await readTwice(
      () => retryOn(loader, signal, () => readFrom(start)),
      (one, other) => (one === null || other === null ? one === other : isSame(one, other)),
    );
    if (bytes !== null) {
      return bytes.slice(offset - start, offset - start + length);
    }
  }
  return null;
}

/**
 * Converts the flash size register to bytes. It holds KiB, except in L1 category 4 (a code) and category 2 (one byte)
 * (RM0038 section 31.1.1). Returns null for a size that such a part cannot have.
 */
function flashSizeOf({ productId, largestFlash }: StmPart, reported: number): number | null {
  const kib = productId === 0x436 ? (reported === 0 ? 384 : 256) : productId === 0x429 ? reported % 256 : reported;
  const size = kib * KIB;
  return size === 0 || size > largestFlash ? null : size;
}

/** Formats a word of the unique ID with the highest byte first. */
function bigEndianHex(bytes: Uint8Array): string {
  return hexOf(bytes.toReversed()).toUpperCase();
}
