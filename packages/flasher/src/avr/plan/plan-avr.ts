/**
 * Plans a write to an AVR before anything is erased: regions, kept ranges, refusals with reasons. It uses files and
 * facts about the board only; the writer carries the plan out.
 */
import { addressText } from '../../core/bytes.ts';
import type { NamedRange, PlannedRegion } from '../../core/flash-plan.ts';
import { checkGuard, checkOverlaps, memoryMap, regionsOf, restoredIn, stretchOf } from '../../core/memory-plan.ts';
import { endOf, joinRanges, overlapOf, rangeOf, without } from '../../core/ranges.ts';
import { contentsOf } from '../../images/contents/contents.ts';
import { isBlank, notFirmwareBy } from '../../images/contents/not-firmware.ts';
import type { MemorySegment } from '../../images/formats/memory-segments.ts';
import type { AvrProtocol } from '../avr-board.ts';
import { pagesOf } from '../parts/page-cover.ts';
import { unknownAvrText } from '../parts/part-names.ts';
import { avrParts } from '../parts/part-table.ts';
import { type AvrFindings, avrFindings } from './avr-plan-finding.ts';
import {
  type AvrGuard,
  type AvrPlan,
  type AvrPlanBoard,
  type AvrPlanFile,
  type AvrPlanInput,
  anyAvr,
} from './avr-plan-types.ts';

/** Flash, page and EEPROM that are assumed without a board: the largest of all parts. */
const largest = {
  flash: Math.max(...avrParts.map(({ flashSize }) => flashSize)),
  page: Math.max(...avrParts.map(({ pageSize }) => pageSize)),
  eeprom: Math.max(...avrParts.map(({ eepromSize }) => eepromSize)),
};

const usualBaudRate = 115_200;

/** Estimates the duration of a write before it begins. Everything differs, is written and read back. */

/** Bits on the wire per byte: start bit, eight data bits, stop bit. */
const BITS_A_BYTE = 10;
/** Milliseconds per byte on the chip's own USB: a packet of 64 bytes in each frame of 1 ms. */
const USB_BYTE = 1 / 64;
/** Milliseconds to erase and to write a page (ATmega328P data sheet, "SPM Programming Time": 3.7 to 4.5 ms each). */
const PAGE_TIME = 9;
/** Milliseconds to write a byte of EEPROM (ATmega328P data sheet, "EEPROM Programming Time": 26,368 cycles at 8 MHz). */
const EEPROM_BYTE = 3.4;
/** Bytes that are compared of a page whose predecessor differed. */
const LOOK_BYTES = 16;
/** Milliseconds between an answer and the next request, through the USB bridge of a board and on the chip's own USB. */
const TURN = { bridge: 2, usb: 1 } as const;

/** Bytes on the wire besides the data, for loading an address and for reading or writing: requests and answers. */
const framing = { stk500v1: 14, stk500v2: 38, avr109: 9 } satisfies Record<AvrProtocol, number>;

interface AvrTimeInput {
  readonly protocol: AvrProtocol;
  /** In baud; null on the chip's own USB. */
  readonly baudRate: number | null;
  readonly pages: number;
  readonly pageSize: number;
  readonly eepromBytes: number;
}

/** Returns the estimated duration in milliseconds. */
function estimateAvrTime({ protocol, baudRate, pages, pageSize, eepromBytes }: AvrTimeInput): number {
  const byteTime = baudRate === null ? USB_BYTE : (BITS_A_BYTE * 1_000) / baudRate;
  const turn = baudRate === null ? TURN.usb : TURN.bridge;
  const exchangeOf = (bytes: number) => (bytes + framing[protocol]) * byteTime + 2 * turn;
  const exchange = exchangeOf(pageSize);
  const eepromPages = Math.ceil(eepromBytes / pageSize);
  return (
    pages * (exchangeOf(LOOK_BYTES) + 2 * exchange + PAGE_TIME) + eepromPages * 3 * exchange + eepromBytes * EEPROM_BYTE
  );
}

/** Makes a plan. A plan with refusals must not be carried out; its regions show the request. */
export function planAvr(input: AvrPlanInput): AvrPlan {
  const { files, board, guard = anyAvr, eraseAll = false, overrides = [] } = input;
  const findings = avrFindings();
  for (const file of files) {
    checkFile(file, board, findings);
  }
  const regions = regionsOf(files);
  const eeprom = regionsOf(files.map(({ name, eeprom: segments }) => ({ name, segments })));
  if (regions.length + eeprom.length === 0 && findings.refusals.length === 0) {
    findings.refuse('nothing-to-write');
  }
  checkOverlaps(regions.map(stretchOf), findings);
  checkOverlaps(eeprom.map(stretchOf), findings);
  checkPlaces(regions, board, findings);
  checkEeprom(eeprom, board, findings);
  if (board !== null) {
    checkBoard(board, files, guard, findings);
    checkErase(regions, board, findings);
    checkBootSection(regions, board, findings);
  }
  if (eraseAll) {
    findings.warn('rest-is-erased');
  }
  const info = board?.info ?? null;
  const pageSize = info !== null && info.pageSize > 0 ? info.pageSize : largest.page;
  const inOrder = info?.writesInOrder ?? false;
  const ranges = regions.map(rangeOf);
  const pages = pagesOf(ranges, pageSize, inOrder);
  const restore = eraseAll
    ? []
    : restoredIn(
        joinRanges(pages),
        ranges,
        ({ offset }) => `page at ${addressText(Math.floor(offset / pageSize) * pageSize)}`,
      );
  const bytes = [...regions, ...eeprom].reduce((sum, region) => sum + region.bytes.length, 0);
  const time = estimateAvrTime({
    protocol: info?.protocol ?? 'stk500v1',
    baudRate: board === null ? usualBaudRate : board.baudRate,
    pages: eraseAll && info !== null ? Math.ceil(info.application.length / pageSize) + pages.length : pages.length,
    pageSize,
    eepromBytes: eeprom.reduce((sum, region) => sum + region.bytes.length, 0),
  });
  const erase: readonly NamedRange[] = [];
  const boot = info?.bootloaderRange ?? null;
  const map = memoryMap({
    memory: info === null || info.flashSize === 0 ? ranges : [{ offset: 0, length: info.flashSize }],
    fixed: boot === null ? [] : [{ ...boot, name: 'bootloader' }],
    regions,
    restore,
    eraseAll,
  });
  return { ...findings.outcome(overrides), regions, eraseAll, erase, restore, map, bytes, pages, eeprom, time };
}

function checkFile(file: AvrPlanFile, board: AvrPlanBoard | null, findings: AvrFindings): void {
  const files = [file.name];
  if (file.hasBootloader) {
    findings.refuse('with-bootloader', { files });
  }
  if (!file.isForAvr) {
    findings.refuse('other-processor', { files });
  }
  const isEmpty = [...file.segments, ...file.eeprom].every(({ bytes }) => bytes.length === 0);
  if (isEmpty && file.isEeprom) {
    findings.warn('eeprom-empty', { files });
  } else if (isEmpty && file.leftOut.length === 0) {
    findings.refuse('file-empty', { files });
  }
  const [first] = file.segments.toSorted((one, other) => one.address - other.address);
  if (first !== undefined && file.isForAvr && first.bytes.length > 0) {
    checkProgram(first, files, board, findings);
  }
  const isFuse = ({ memory }: AvrPlanFile['leftOut'][number]) => memory === 'fuse' || memory === 'lock';
  const fuses = file.leftOut.filter(isFuse);
  if (fuses.length > 0) {
    findings.warn('fuses-left-out', { files, wanted: fuses.map(({ name }) => name).join(' and ') });
  }
  for (const { memory, name } of file.leftOut.filter((part) => !isFuse(part))) {
    if (memory === 'unknown') {
      findings.refuse('outside-flash', { files, at: name }, true);
    } else {
      findings.warn('part-left-out', { files, wanted: name });
    }
  }
}

function checkProgram(
  { address, bytes }: MemorySegment,
  files: readonly string[],
  board: AvrPlanBoard | null,
  findings: AvrFindings,
): void {
  const contents = contentsOf(bytes);
  const not = isBlank(contents) ? null : notFirmwareBy(contents, 'avr');
  const start = board?.info.application.offset ?? 0;
  if (not !== null) {
    findings.refuse('not-firmware', { files, wanted: not.name, found: not.remedy }, address === start);
  } else if (!isBlank(contents) && (address === 0 || address === start) && !startsWithJump(bytes)) {
    findings.warn('no-vector-table', { files, at: addressText(address) });
  }
}

/**
 * Returns true if the first word is a jump, as in every vector table: RJMP `1100 kkkk kkkk kkkk` or JMP
 * `1001 010k kkkk 110k` (AVR Instruction Set Manual).
 */
function startsWithJump([low = 0, high = 0]: Uint8Array): boolean {
  const word = low | (high << 8);
  return (word & 0xf000) === 0xc000 || (word & 0xfe0e) === 0x940c;
}

/** @param regions In the order of addresses. */
/** Refuses flash data that the board has no room for, once for each file. */
function checkPlaces(regions: readonly PlannedRegion[], board: AvrPlanBoard | null, findings: AvrFindings): void {
  if (board !== null && board.info.flashSize === 0) {
    return;
  }
  const flashSize = board?.info.flashSize ?? largest.flash;
  const application = board?.info.application ?? { offset: 0, length: flashSize };
  const refused = new Set<string>();
  for (const region of regions) {
    const [outside] = without(rangeOf(region), [application]);
    if (outside === undefined || refused.has(region.file)) {
      continue;
    }
    refused.add(region.file);
    const boot = board?.info.bootloaderRange ?? null;
    const files = [region.file];
    const end = endOf(rangeOf(region));
    if (end > flashSize) {
      findings.refuse('does-not-fit', { files, wanted: addressText(end), found: addressText(endOf(application)) });
    } else if (boot !== null && overlapOf(outside, boot) !== null) {
      findings.refuse('reaches-bootloader', {
        files,
        wanted: addressText(overlapOf(outside, boot)?.offset ?? 0),
        found: `${addressText(boot.offset)} to ${addressText(endOf(boot) - 1)}`,
      });
    } else {
      findings.refuse('outside-flash', { files, at: addressText(outside.offset) });
    }
  }
}

/**
 * Warns of pages that stk500boot writes without an erase: the last ones before it, as many as it has itself
 * (`stk500boot.c`, `APP_END`).
 */
function checkErase(regions: readonly PlannedRegion[], { info }: AvrPlanBoard, findings: AvrFindings): void {
  const { bootloader, bootloaderRange: boot } = info;
  if (bootloader !== 'stk500boot' || boot === null) {
    return;
  }
  const end = boot.offset - boot.length;
  const files = [...new Set(regions.filter((region) => endOf(rangeOf(region)) > end).map(({ file }) => file))];
  if (files.length > 0) {
    findings.warn('not-erased', { files, at: addressText(end) });
  }
}

/**
 * Boot section of a Nano with optiboot, in bytes (`boards.txt` of the Arduino core: high fuse 0xDA). A reset starts at its
 * beginning and runs through empty flash to optiboot, or into a sketch that reaches so far.
 */
const NANO_BOOT_SECTION = 2_048;

/** Warns of a program in what may be the boot section. Optiboot does not read the fuses that tell its size. */
function checkBootSection(regions: readonly PlannedRegion[], { info }: AvrPlanBoard, findings: AvrFindings): void {
  const { bootloader, bootloaderRange: boot, bootloaderRangeFrom: from, flashSize } = info;
  const start = flashSize - NANO_BOOT_SECTION;
  if (bootloader !== 'optiboot' || boot === null || boot.offset <= start || from === 'fuse') {
    return;
  }
  const files = [...new Set(regions.filter((region) => endOf(rangeOf(region)) > start).map(({ file }) => file))];
  if (files.length > 0) {
    findings.warn('boot-section-unknown', { files, wanted: addressText(start), found: addressText(boot.offset) });
  }
}

function checkEeprom(eeprom: readonly PlannedRegion[], board: AvrPlanBoard | null, findings: AvrFindings): void {
  const files = [...new Set(eeprom.map(({ file }) => file))];
  const size = board === null ? largest.eeprom : board.info.eepromSize;
  const end = Math.max(0, ...eeprom.map((region) => endOf(rangeOf(region))));
  if (files.length > 0 && board !== null && !board.info.hasEeprom) {
    findings.refuse('eeprom-unsupported', { files });
  } else if (end > size) {
    findings.refuse('eeprom-too-large', { files, wanted: addressText(end), found: addressText(size) });
  }
}

function checkBoard(
  { info, isDemo }: AvrPlanBoard,
  files: readonly AvrPlanFile[],
  guard: AvrGuard,
  findings: AvrFindings,
): void {
  if (info.flashSize === 0) {
    findings.refuse('unknown-part', { found: unknownAvrText(Number(info.signature)) });
  }
  checkGuard(
    {
      parts: files,
      guard,
      board: { model: info.model, name: info.part, isDemo },
      modelName: (model) => model.replace('atmega', 'ATmega'),
    },
    findings,
  );
}
