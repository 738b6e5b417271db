/** Forecasts of a copy to the drive of a board in BOOTSEL, before it is made. */
import { addressText, sizeText } from '../../core/bytes.ts';
import { joinRanges } from '../../core/ranges.ts';
import { uf2BlocksOf } from '../../images/formats/uf2.ts';
import { copyToRp2040, type DriveRun, type DriveStep, type IgnoredBecause } from './drive-rp2040.ts';
import { copyToRp2350, type DriveBoard } from './drive-rp2350.ts';
import { uf2PayloadSize } from './file-parts.ts';
import { rpFamilyName } from './rp-families.ts';
import { flashStart, type RpBoardFacts, type RpDriveForecast, type RpDriveLoss, type RpRange } from './rp-firmware.ts';

const SECTOR = 4_096;

/** Bytes of flash that the chips address. Behind them, the boot ROM of the RP2040 sends other flash commands. */
const addressed = { rp2040: 0x100_0000, rp2350: 0x200_0000 } as const;

/**
 * Says what the drive of an RP2040 does with a UF2 file.
 *
 * @param flashSize In bytes; null if it is not known. The flash chip continues at its start behind its end.
 */
export function forecastRp2040Drive(bytes: Uint8Array, flashSize: number | null): RpDriveForecast {
  const run = copyToRp2040(bytes);
  const { restarts, startsAt } = run;
  const outcome = outcomeOf(run.steps, flashSize ?? addressed.rp2040, addressed.rp2040);
  const begun =
    restarts && startsAt === 0xffff_ffff
      ? 'The board restarts, and then crashes: the boot ROM cannot start a program that lies in the memory of the cache alone.'
      : restartText(bytes, run, 'it takes only blocks of the family rp2040');
  const losses = lossText(outcome.losses, restarts);
  return {
    restarts,
    startsAt,
    ...outcome,
    text: [begun, ...losses, ...endText(run.steps, flashSize, addressed.rp2040)],
  };
}

/**
 * Says what the drive of an RP2350 does with a UF2 file, by the published source of its boot ROM (revision A2).
 *
 * @param board Its `flashSize` is null if it is not known. Of A and B slots, the forecast is for A.
 */
export function forecastRp2350Drive(
  bytes: Uint8Array,
  board: DriveBoard & Pick<RpBoardFacts, 'flashSize'>,
): RpDriveForecast {
  const { flashSize, partitionTable } = board;
  const run = copyToRp2350(bytes, board);
  const { restarts, startsAt } = run;
  const outcome = outcomeOf(run.steps, flashSize ?? addressed.rp2350, addressed.rp2350);
  const taken =
    partitionTable === null || partitionTable === 'none'
      ? 'it takes absolute, data, rp2350-arm-s and rp2350-riscv'
      : 'no partition takes its family';
  const filler = uf2BlocksOf(bytes).find(({ use }) => use === 'filler');
  return {
    restarts,
    startsAt,
    ...outcome,
    text: [
      restartText(bytes, run, taken),
      ...lossText(outcome.losses, restarts),
      ...(filler === undefined || flashSize === null ? [] : [fillerText(filler.address, flashSize)]),
      ...endText(
        run.steps.filter((step) => !isFiller(step, filler?.address)),
        flashSize,
        addressed.rp2350,
      ),
    ],
  };
}

const isFiller = (step: DriveStep, address = 0) =>
  step.kind !== 'ram' && Math.floor(step.offset / SECTOR) === Math.floor((address - flashStart) / SECTOR);

/** The block for erratum E10 is written like any other. The flash continues at its start behind its end. */
function fillerText(address: number, flashSize: number): string {
  const offset = (address - flashStart) % flashSize;
  const sector = { offset: offset - (offset % SECTOR), length: SECTOR };
  return `Its first block, for erratum RP2350-E10, goes to ${rangeText(sector)} on chips of revision A2: what was there is lost.`;
}

/** Follows the steps. A page is lost if it was erased again, or written over what was not erased. */
function outcomeOf(steps: readonly DriveStep[], flashSize: number, most: number) {
  const erased = new Set<number>();
  const lost = new Map<number, RpDriveLoss>();
  const written = new Map<number, number>();
  for (const step of steps.filter((one) => one.kind !== 'ram' && one.offset < most)) {
    if (step.kind === 'erase') {
      const sector = (step.offset % flashSize) / SECTOR;
      erased.add(sector);
      for (let page = sector * SECTOR; page < (sector + 1) * SECTOR; page += uf2PayloadSize) {
        const length = written.get(page);
        if (length !== undefined) {
          lost.set(page, { offset: page, length, why: 'erased' });
          written.delete(page);
        }
      }
    } else if (step.kind === 'program') {
      const page = step.offset % flashSize;
      const isClean = erased.has(Math.floor(page / SECTOR)) && !written.has(page);
      written.set(page, step.bytes.length);
      lost.delete(page);
      if (!isClean) {
        lost.set(page, { offset: page, length: step.bytes.length, why: 'mixed' });
      }
    }
  }
  const sectors = [...erased].sort((one, other) => one - other);
  return {
    erases: joinRanges(sectors.map((sector) => ({ offset: sector * SECTOR, length: SECTOR }))),
    losses: joinLosses([...lost.values()].sort((one, other) => one.offset - other.offset)),
  };
}

function joinLosses(losses: readonly RpDriveLoss[]): RpDriveLoss[] {
  const joined: RpDriveLoss[] = [];
  for (const loss of losses) {
    const last = joined.at(-1);
    if (last !== undefined && last.why === loss.why && last.offset + last.length === loss.offset) {
      joined[joined.length - 1] = { ...last, length: last.length + loss.length };
    } else {
      joined.push(loss);
    }
  }
  return joined;
}

/** @param taken Clause that says which families the drive takes. */
function restartText(bytes: Uint8Array, run: DriveRun, taken: string): string {
  const { restarts, startsAt, steps } = run;
  if (restarts) {
    return startsAt === null
      ? 'The board restarts after the copy.'
      : `The board restarts after the copy and runs the program in RAM, at ${addressText(startsAt & ~1)}. Nothing is written to flash.`;
  }
  return steps.length === 0
    ? `The drive ignores the whole file, and the board does not restart: ${ignoredText(bytes, run.ignored, taken)}.`
    : `The drive writes a part of the file, and the board does not restart: ${waitText(run)}.`;
}

function ignoredText(bytes: Uint8Array, [reason]: readonly IgnoredBecause[], taken: string): string {
  if (reason === undefined) {
    return 'it has no UF2 block';
  }
  if (reason !== 'family') {
    return ignoredTexts[reason];
  }
  const ids = new Set(uf2BlocksOf(bytes).flatMap(({ familyId }) => (familyId === null ? [] : [familyId])));
  return `${taken}, and these are for ${[...ids].map(rpFamilyName).join(', ')}`;
}

const ignoredTexts = {
  'no-family': 'its blocks do not name a chip',
  comment: 'its blocks are marked as not for flash',
  size: 'its blocks do not have 256 bytes of data',
  place: 'its blocks are for addresses outside of the flash and RAM that the drive may write',
  address: 'its addresses are not multiples of 256',
  number: 'its blocks have numbers that their total does not allow',
  mixed: 'it has blocks for RAM and for flash',
  'too-many': 'it states more blocks than the boot ROM counts',
} satisfies Record<Exclude<IgnoredBecause, 'family'>, string>;

function waitText({ ignored, counted, total, missing }: DriveRun): string {
  const reset = ignored.find(
    (reason) => reason === 'number' || reason === 'mixed' || reason === 'place' || reason === 'address',
  );
  if (reset !== undefined) {
    return ignoredTexts[reset];
  }
  return `it counted ${counted} of ${total} blocks${missing === null ? '' : `, and block ${missing} is missing`}`;
}

function lossText(losses: readonly RpDriveLoss[], restarts: boolean): string[] {
  const rest = restarts ? ', and the board restarts all the same' : '';
  const parts = [
    ['erased', 'are erased again after they were written'],
    ['mixed', 'are written over old data that is not erased'],
  ] as const;
  return parts.flatMap(([why, words]) => {
    const ranges = losses.filter((loss) => loss.why === why);
    const size = ranges.reduce((sum, { length }) => sum + length, 0);
    return size === 0
      ? []
      : [
          `${sizeText(size)} of the file ${words}, at ${ranges.map(rangeText).join(', ')}${rest}. The drive erases a sector at every sixteenth block number, whatever its address.`,
        ];
  });
}

function endText(steps: readonly DriveStep[], flashSize: number | null, most: number): string[] {
  const offsets = steps.flatMap((step) => (step.kind === 'ram' ? [] : [step.offset]));
  const last = offsets.reduce((highest, offset) => Math.max(highest, offset), -1);
  if (last >= most) {
    return [
      `The file has data for ${addressText(flashStart + last)}, where no flash can be. What the flash chip does with it is not known.`,
    ];
  }
  return flashSize !== null && last >= flashSize
    ? [`The flash ends at ${addressText(flashStart + flashSize)}. What is behind it goes over the start of flash.`]
    : [];
}

const rangeText = ({ offset, length }: RpRange) =>
  `${addressText(flashStart + offset)}–${addressText(flashStart + offset + length - 1)}`;
