/**
 * A board in BOOTSEL through its drive: the way where the system gives the browser no USB access. A file is copied, and whether
 * the board restarts decides: the drive answers "good" to everything.
 */
import type { Clock } from '@wirebench/clock';
import { errorName } from '@wirebench/port';
import type { RegionReport, WriteReport } from '../../core/board.ts';
import { BoardCalls } from '../../core/board-calls.ts';
import { addressText, bytesText, sizeText, viewOf } from '../../core/bytes.ts';
import { overlapOf, rangeOf, without } from '../../core/ranges.ts';
import { type FlashRange, sectorSize } from '../../core/region.ts';
import { WriteProgress } from '../../core/write-progress.ts';
import { measureWrite } from '../../core/write-report.ts';
import type { FamilyBoard, PlanRequest, WriteOptions } from '../../family.ts';
import type { PlanFacts } from '../../family-values.ts';
import type { MemorySegment } from '../../images/formats/memory-segments.ts';
import { inTime } from '../../time-limit.ts';
import { deadlines } from '../deadlines.ts';
import { type RpBoardFacts, type RpTypes, rpConsole } from '../family-types.ts';
import {
  flashStart,
  forecastRp2040Drive,
  type RpChip,
  type RpDriveForecast,
  type RpFlashUser,
} from '../files/index.ts';
import { placementOf } from '../plan/placed-programs.ts';
import { planRp } from '../plan/plan-rp.ts';
import { type RpFindings, type RpRefusal, rpFindings } from '../plan/rp-plan-finding.ts';
import type { RpPlan, RpPlanFile } from '../plan/rp-plan-types.ts';
import { answerStart, withStart } from '../plan/start-answer.ts';
import { rangeOfUser } from '../put-back/put-back.ts';
import type { RpInfo } from '../rp-board.ts';
import { asRpError, RpError } from '../rp-failure.ts';
import { type DriveFolder, type DriveInfo, type DriveWriter, folderFailure, isDriveThere } from './drive-folder.ts';

/** Bytes of one write to the file: blocks of 512, few enough to tell how far a broken copy came. */
const COPIED = 32 * 1_024;
/** Between two looks whether the drive is still there, in milliseconds. */
const LOOK = 200;

/** UF2 families of the chips' programs (pico-sdk, `boot/uf2.h`): `rp2040`, and `rp2350-arm-s`. */
const families: Readonly<Record<RpChip, number>> = { RP2040: 0xe48b_ff56, RP2350: 0xe48b_ff59 };

export interface DriveBoardParts {
  readonly clock: Clock;
  readonly folder: DriveFolder;
  readonly drive: DriveInfo;
  readonly isDemo: boolean;
  /** Resolves when the program's port appears, which shows the restart before the drive is looked at again. */
  readonly returned: (signal: AbortSignal) => Promise<unknown>;
}

/** File to copy, with the plan that it belongs to. */
interface PlannedCopy {
  readonly plan: RpPlan;
  readonly name: string;
  readonly uf2: Uint8Array;
}

export class DriveBoard implements FamilyBoard<RpTypes> {
  readonly canEraseAll = false;
  readonly rangeStep = null;
  readonly vanishes = true;
  readonly #parts: DriveBoardParts;
  readonly #over = new AbortController();
  readonly #calls = new BoardCalls((error, signal) => (error instanceof RangeError ? error : asRpError(error, signal)));
  #planned: PlannedCopy | null = null;

  constructor(parts: DriveBoardParts) {
    this.#parts = parts;
  }

  get facts(): RpBoardFacts {
    const { chip } = this.#parts.drive;
    const info: RpInfo = {
      link: 'drive',
      chip,
      revision: null,
      romVersion: null,
      flashSize: null,
      uniqueId: null,
      cpu: null,
      secureBoot: null,
      partitions: null,
      users: [],
    };
    return {
      family: 'rp',
      name: chip,
      model: null,
      id: null,
      flash: { start: flashStart, size: null },
      areas: [],
      baudRate: null,
      console: rpConsole,
      info,
    };
  }

  get over(): AbortSignal {
    return this.#over.signal;
  }

  async plan({ files, guard, overrides = [], changes = [] }: PlanRequest<RpTypes>): Promise<PlanFacts> {
    const { isDemo, drive } = this.#parts;
    const { info } = this.facts;
    const { model = null, flashSize = null, demo = false } = guard ?? {};
    const plan = planRp({
      files,
      board: { info, isDemo },
      guard: { model, flashSize, isDemo: demo },
      changes,
      // A code that is not in the plan overrides nothing.
      overrides: overrides as readonly RpRefusal[],
    });
    const findings = rpFindings();
    findings.warn('by-drive');
    const { storage } = placementOf(files, info, false);
    if (storage !== null) {
      findings.warn('drive-knows-no-files', {
        found: sizeText(storage.size),
        at: addressText(flashStart + storage.offset),
      });
    }
    const [file, ...more] = files;
    let copy: PlannedCopy | null = null;
    if (more.length > 0) {
      findings.refuse('drive-one-file', { files: files.map(({ name }) => name) });
    } else if (file !== undefined && plan.refusals.length === 0) {
      copy = { plan, name: copyName(file), uf2: file.uf2 ?? uf2Of(file, plan, drive.chip) };
      // The ROM of the RP2350 places blocks by its partition table, which a drive does not show.
      if (drive.chip === 'RP2040') {
        checkForecast(forecastRp2040Drive(copy.uf2, null), { name: file.name, plan, storage }, findings);
      }
    }
    const { refusals, warnings } = findings.outcome([]);
    const start = await answerStart(plan.regions, { chip: drive.chip, cpu: null, flashSize: null, secureBoot: null });
    const isRefused = plan.refusals.length + refusals.length > 0;
    this.#planned = isRefused ? null : copy;
    return {
      refusals: [...plan.refusals, ...refusals],
      overridden: plan.overridden,
      warnings: withStart([...warnings, ...plan.warnings], start, plan.refusals),
      start,
      eraseAll: false,
      map: plan.map,
      regions: plan.regions.map((region) => ({ ...rangeOf(region), file: region.file, same: null })),
      toWrite: plan.bytes,
      same: 0,
      duration: plan.time,
    };
  }

  write(options: WriteOptions): Promise<WriteReport> {
    return this.#calls.run(options.signal, async () => {
      const planned = this.#planned;
      if (planned === null) {
        throw new RpError('write-failed', { detail: 'There is no plan to carry out.' });
      }
      options.onStage('writing');
      const report = await this.#copy(planned, options);
      this.#planned = null;
      return report;
    });
  }

  read(): Promise<Uint8Array> {
    return Promise.reject(new RpError('drive-cannot'));
  }

  erase(): Promise<void> {
    return Promise.reject(new RpError('drive-cannot'));
  }

  /** Does nothing: this family has no further actions. */
  async perform(): Promise<boolean> {
    return true;
  }

  /** Does nothing after a copy, which restarts the board. */
  async restart(): Promise<void> {
    if (!this.over.aborted) {
      throw new RpError('drive-cannot', { detail: 'Only a copy restarts the board.' });
    }
  }

  async close(): Promise<void> {
    this.#over.abort(new DOMException('The board is closed.', 'AbortError'));
  }

  async #copy({ plan, name, uf2 }: PlannedCopy, { signal, onEvent }: WriteOptions): Promise<WriteReport> {
    const { clock } = this.#parts;
    let copied = 0;
    const report = measureWrite(clock, () => copied);
    onEvent({ type: 'compared', same: 0, toWrite: plan.bytes });
    const progress = new WriteProgress(clock, plan.bytes, onEvent);
    progress.enter('writing');
    const writer = await this.#openFile(name);
    const sharePerByte = plan.bytes / uf2.length;
    let fault: unknown = null;
    for (let at = 0; at < uf2.length && fault === null; at += COPIED) {
      if (signal.aborted) {
        await writer.close().catch(() => undefined);
        throw new RpError('cancelled', { state: at === 0 ? 'unchanged' : 'incomplete' });
      }
      const part = Uint8Array.from(uf2.subarray(at, at + COPIED));
      try {
        await writer.write(part);
        copied += part.length;
        progress.moving(copied * sharePerByte, part.length * sharePerByte);
      } catch (error) {
        fault = error;
        // The system may report that the drive is gone with the last part, which has arrived all the same.
        copied += at + COPIED >= uf2.length ? part.length : 0;
      }
    }
    if (copied < uf2.length) {
      throw copyFailure(fault, copied, uf2.length);
    }
    // The board restarts with the last block, so that closing the file fails on most systems.
    await writer.close().catch((error: unknown) => {
      fault = error;
    });
    if (!(await this.#hasRestarted(signal))) {
      const code = fault === null ? 'drive-not-taken' : 'drive-copy-failed';
      throw new RpError(code, {
        state: 'incomplete',
        detail: `${bytesText(copied)} of ${bytesText(uf2.length)}${fault === null ? '' : `, ${errorName(fault)}`}.`,
        cause: fault,
      });
    }
    this.#calls.end('The board has left its boot ROM.');
    this.#over.abort(new DOMException('The board has restarted.', 'AbortError'));
    progress.settle(plan.bytes);
    const regions = plan.regions.map(
      (region): RegionReport => ({ ...rangeOf(region), outcome: 'unverified', proof: null }),
    );
    for (const region of regions) {
      onEvent({ type: 'region', ...region });
    }
    return report({ state: 'unverified', regions, written: plan.bytes, same: 0, repeated: 0 });
  }

  async #openFile(name: string): Promise<DriveWriter> {
    const { folder } = this.#parts;
    try {
      return await (await folder.getFileHandle(name, { create: true })).createWritable();
    } catch (error) {
      throw folderFailure(error, folder);
    }
  }

  /** Resolves with true once the drive is gone or the program's port is there. */
  async #hasRestarted(signal: AbortSignal): Promise<boolean> {
    const { clock, folder, returned } = this.#parts;
    const gone = await inTime(clock, deadlines.driveReturn, signal, async (late) => {
      const port = returned(late).then(
        () => true,
        () => new Promise<never>(() => undefined),
      );
      const drive = async () => {
        while (await isDriveThere(folder)) {
          await clock.sleep(LOOK, late);
        }
        return true;
      };
      return Promise.race([port, drive()]);
    });
    return gone === true;
  }
}

function copyFailure(cause: unknown, copied: number, total: number): RpError {
  return new RpError('drive-copy-failed', {
    state: copied === 0 ? 'unchanged' : 'incomplete',
    detail: `${bytesText(copied)} of ${bytesText(total)}, ${errorName(cause)}.`,
    cause,
  });
}

/** Names the file on the drive. Its name means nothing to the board. */
const copyName = ({ name }: RpPlanFile): string => `${name.replace(/\.[^.]*$/, '')}.uf2`;

/** Makes a UF2 file of one in another format. A program for RAM has regions outside of flash, which are taken as they are. */
function uf2Of(file: RpPlanFile, plan: RpPlan, chip: RpChip): Uint8Array {
  const known = file.firmware.programs.find(({ chips, familyId }) => chips.includes(chip) && familyId !== null);
  return makeUf2(
    plan.regions.map(({ offset, bytes }) => ({ address: offset, bytes })),
    known?.familyId ?? families[chip],
  );
}

interface ForecastFile {
  readonly name: string;
  readonly plan: RpPlan;
  /** Place in which the new program keeps its files; null if it states none. */
  readonly storage: RpFlashUser | null;
}

/**
 * Refuses a file of which the drive would lose something, and names what it erases beside the file. Beside a program that begins
 * at the start of flash nothing is kept but its own files: the rest of its sectors held the old program.
 */
function checkForecast(forecast: RpDriveForecast, { name, plan, storage }: ForecastFile, findings: RpFindings): void {
  const text = forecast.text.join(' ');
  if (forecast.losses.length > 0 || !forecast.restarts) {
    findings.refuse('drive-loses', { files: [name], found: text });
    return;
  }
  const written = plan.regions.map(rangeOf);
  const [start] = forecast.erases;
  const isOfProgram = ({ offset }: FlashRange) => start?.offset === 0 && offset < flashStart + start.length;
  const beside = forecast.erases
    .map(({ offset, length }): FlashRange => ({ offset: flashStart + offset, length }))
    .flatMap((range) =>
      without(
        range,
        written.filter((one) => overlapOf(one, range) !== null),
      ),
    )
    .filter((range) => !isOfProgram(range) || (storage !== null && overlapOf(range, rangeOfUser(storage)) !== null));
  const [first] = beside;
  if (first !== undefined) {
    const size = beside.reduce((sum, { length }) => sum + length, 0);
    findings.warn('drive-erases', {
      files: [name],
      found: `${sizeText(size)}, first at ${addressText(first.offset)},`,
    });
  }
}

/** Bytes of a block, and of its data (Microsoft, "USB Flashing Format"; RP2040 datasheet 2.8.4.2: 256 alone are taken). */
const BLOCK = 512;
const PAYLOAD = 256;
const magics = { first: 0x0a32_4655, second: 0x9e5d_5157, last: 0x0ab1_6f30 } as const;
const FAMILY_PRESENT = 0x2000;

/**
 * Makes a UF2 file for the drive. It has whole sectors, because the boot ROM of the RP2040 erases a sector at every sixteenth
 * block number, whatever the address is.
 *
 * @param segments In flash, in the order of addresses. What shares a sector with them becomes 0xFF.
 */
function makeUf2(segments: readonly MemorySegment[], familyId: number): Uint8Array<ArrayBuffer> {
  const sectors = new Map<number, Uint8Array>();
  for (const { address, bytes } of segments) {
    for (let at = 0; at < bytes.length; ) {
      const start = Math.floor((address + at) / sectorSize) * sectorSize;
      const sector = sectors.get(start) ?? new Uint8Array(sectorSize).fill(0xff);
      const from = address + at - start;
      const part = bytes.subarray(at, at + sectorSize - from);
      sector.set(part, from);
      sectors.set(start, sector);
      at += part.length;
    }
  }
  const starts = [...sectors.keys()].toSorted((one, other) => one - other);
  const perSector = sectorSize / PAYLOAD;
  const total = starts.length * perSector;
  const file = new Uint8Array(total * BLOCK);
  starts.forEach((start, index) => {
    for (let page = 0; page < perSector; page++) {
      const number = index * perSector + page;
      const block = file.subarray(number * BLOCK, (number + 1) * BLOCK);
      const header = [
        magics.first,
        magics.second,
        FAMILY_PRESENT,
        start + page * PAYLOAD,
        PAYLOAD,
        number,
        total,
        familyId,
      ];
      const view = viewOf(block);
      header.forEach((word, place) => {
        view.setUint32(4 * place, word, true);
      });
      block.set(sectors.get(start)?.subarray(page * PAYLOAD, (page + 1) * PAYLOAD) ?? [], 4 * header.length);
      view.setUint32(BLOCK - 4, magics.last, true);
    }
  });
  return file;
}
