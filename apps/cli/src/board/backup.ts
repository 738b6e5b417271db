/** `wirebench backup` and `wirebench restore`: the backup sets of the page, and plain files for boards without partitions. */
import { readFile } from 'node:fs/promises';
import { familyTraits } from '@wirebench/boards';
import {
  backupFileName,
  backupSetName,
  boardFileName,
  fileTimeText,
  loadFamily,
  shellText,
} from '@wirebench/flasher/callers';
import { addressText, type BoardChange, type FlashRange, sizeText } from '@wirebench/flasher/core';
import type { EspBoardFacts } from '@wirebench/flasher/esp';
import type { OpenedBackup, SavedPart } from '@wirebench/flasher/esp/backup';
import type { Family, FamilyBoard } from '@wirebench/flasher/family';
import { startsLikeZip } from '@wirebench/flasher/images';
import { listOf, type OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { runFlash } from '../flash/flash.ts';
import { unnamedPort } from '../given-ports.ts';
import { isForced, ownerOnly, refuseExisting, saveFile } from '../saved-file.ts';
import { type BoardRun, boardFailure, onBoard, runOnBoard, showRestart } from './board-run.ts';
import { familyOf, wholeFlash } from './named-range.ts';
import { planAndWrite } from './planned-write.ts';

export async function runBackup(given: readonly string[], options: OptionValues): Promise<ExitCode> {
  const [port = '', file, ...others] = given;
  if (others.length > 0) {
    throw await unnamedPort('name a port and at most one file.');
  }
  if (file !== undefined) {
    await refuseExisting(file, isForced(options));
  }
  return runOnBoard(port, options, async (run) => {
    const id = familyOf(options, run.target.family);
    const family = await loadFamily(id);
    const backUp = familyTraits[id].hasPartitions === true ? backUpSet : backUpFlash;
    const done = await onBoard(run, family, (board) => backUp(run, family, board, file));
    showRestart(run, done);
    return exitCodes.ok;
  });
}

/** Returns a reader of ranges with a bar, whose failures are sentences. */
function readerOf(run: BoardRun, family: Family, board: FamilyBoard): (range: FlashRange) => Promise<Uint8Array> {
  const { output, ended } = run;
  return (range) =>
    board
      .read(range, { signal: ended.signal, onProgress: output.barOf('reading', 'Reading') })
      .catch(async (error: unknown) => {
        throw await boardFailure(run, family, error);
      });
}

/** Saves all of the flash, or the parts of `--part`, as a backup set. */
async function backUpSet(run: BoardRun, family: Family, board: FamilyBoard, file: string | undefined): Promise<void> {
  const { backUpBoard, wholeFlashPart } = await import('@wirebench/flasher/esp/backup');
  const { boardPartitions } = await import('@wirebench/flasher/esp');
  const facts = board.facts as EspBoardFacts;
  const names = partNames(run.options);
  const parts =
    names.length === 0
      ? [wholeFlashPart(wholeFlash(board).range.length)]
      : names.map((name) => partNamed(boardPartitions(facts), name));
  const created = new Date();
  const zip = await backUpBoard(facts, parts, readerOf(run, family, board), created);
  const path = file ?? backupSetName(facts, created);
  await saveFile(path, zip, { mode: ownerOnly, replaces: isForced(run.options) });
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  const listed = parts.map(({ name, offset, size: length }) => ({ name, offset, length }));
  run.output.step('backup', { file: path, parts: listed }, `${sizeText(size)} were backed up to ${path}.`);
}

const partNames = ({ part }: OptionValues): readonly string[] => listOf(part);

/** @throws CommandError for an unknown name. */
function partNamed<Part extends { readonly name: string }>(parts: readonly Part[], wanted: string): Part {
  const found = parts.find(({ name }) => name === wanted);
  if (found === undefined) {
    const names = parts.map(({ name }) => `"${name}"`).join(', ');
    throw new CommandError(exitCodes.usage, `--part takes ${names}, and not ${wanted}.`);
  }
  return found;
}

/**
 * Saves all of the flash as one file, by whose name `wirebench flash` and the flasher put it back, or the files that the
 * family names.
 */
async function backUpFlash(run: BoardRun, family: Family, board: FamilyBoard, file: string | undefined): Promise<void> {
  if (partNames(run.options).length > 0) {
    throw new CommandError(exitCodes.usage, 'this board has no partitions: leave --part out.');
  }
  const read = readerOf(run, family, board);
  const { backups } = board;
  const created = new Date();
  if (backups === undefined) {
    const { name, range } = wholeFlash(board);
    const bytes = await read(range);
    const path = file ?? backupFileName(board.facts, name, range, created);
    await saveFile(path, bytes, { mode: ownerOnly, replaces: isForced(run.options) });
    const parts = [{ name, ...range }];
    run.output.step('backup', { file: path, parts }, `${sizeText(bytes.length)} were backed up to ${path}.`);
    return;
  }
  const start = file?.replace(/\.hex$/i, '') ?? `${boardFileName(board.facts)}-${fileTimeText(created)}`;
  for (const { suffix } of backups) {
    await refuseExisting(`${start}${suffix}`, isForced(run.options));
  }
  for (const { suffix, range, emptyText, fileOf } of backups) {
    const content = fileOf(await read(range));
    if (content === null) {
      run.output.step('backup', { file: null, parts: [range] }, `${emptyText}.`);
      continue;
    }
    const path = `${start}${suffix}`;
    await saveFile(path, content, { mode: ownerOnly, replaces: isForced(run.options) });
    run.output.step('backup', { file: path, parts: [range] }, `${sizeText(range.length)} were backed up to ${path}.`);
  }
}

export async function runRestore(given: readonly string[], options: OptionValues): Promise<ExitCode> {
  const [port = '', file, ...others] = given;
  if (file === undefined || others.length > 1) {
    throw await unnamedPort(file === undefined ? 'name a port and a backup.' : 'name a port and at most 2 files.');
  }
  const bytes = await readFile(file).catch((error: Error) => {
    throw new CommandError(exitCodes.usage, `${file} cannot be read: ${error.message}`);
  });
  return runOnBoard(port, options, async (run) => {
    const id = familyOf(startsLikeZip(bytes) ? { family: 'esp', ...run.options } : options, run.target.family);
    if (familyTraits[id].hasPartitions !== true) {
      // Its backup is a file with its address.
      return runFlash(given, { ...options, family: id });
    }
    if (others.length > 0) {
      throw new CommandError(exitCodes.usage, 'name one backup.');
    }
    const family = await loadFamily(id);
    const done = await onBoard(run, family, (board) => restore(run, family, board, { name: file, bytes }));
    if (done.result) {
      showRestart(run, done);
    }
    return exitCodes.ok;
  });
}

interface BackupFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Plans, asks and writes. Returns false if only the plan was asked for. */
async function restore(run: BoardRun, family: Family, board: FamilyBoard, file: BackupFile): Promise<boolean> {
  const { backupOriginText, backupRefusal, openBackup } = await import('@wirebench/flasher/esp/backup');
  const facts = board.facts as EspBoardFacts;
  const opened = await openBackup(file.bytes, facts);
  const { chip } = facts.info;
  const refusal = opened.ok ? backupRefusal(opened.set, { chip, flashSize: facts.flash.size }) : shellText(opened.why);
  if (!opened.ok || refusal !== null) {
    run.output.step('failed', { code: 'backup', what: refusal, remedy: '' });
    throw new CommandError(exitCodes.refused, `nothing was written. ${refusal}`);
  }
  const { created, board: of } = opened.set;
  run.output.step('backup', { file: file.name, chip, board: of, created }, backupOriginText(opened, facts));
  const changes = await changesOf(run, facts, opened);
  const request = { files: [], settings: family.releaseSettings(false) as never, guard: null, changes };
  try {
    return await planAndWrite(run, family, board, request, { question: 'Restore?' });
  } catch (error) {
    throw await boardFailure(run, family, error);
  }
}

/** Returns the changes that restore what is chosen of a backup, and says what stays as it is. */
async function changesOf(
  { options, output }: BoardRun,
  board: EspBoardFacts,
  { set }: Extract<OpenedBackup, { ok: true }>,
): Promise<readonly BoardChange[]> {
  const { FLASH_PART, isChosenFirst, isOfOneBoard, namedParts, ownRanges, placeFault, restoreChange } = await import(
    '@wirebench/flasher/esp/backup'
  );
  const names = partNames(options);
  const keepsOwn = typeof options['keepNvs'] === 'boolean' ? options['keepNvs'] : set.board !== board.id;
  const isWanted = (part: SavedPart) =>
    names.length > 0 ||
    (options['keepNvs'] === undefined ? isChosenFirst(part, set, board) : !keepsOwn || !isOfOneBoard(part));
  const named = names.length === 0 ? set.parts : names.map((name) => partNamed(namedParts(set), name));
  const wanted = named.filter(isWanted);
  const withTable = wanted.some(({ type }) => type === 3);
  const placed = wanted.filter((part) => placeFault(part, board, withTable) === null);
  const isRestored = ({ offset, size }: SavedPart) =>
    placed.some((one) => one.offset >= offset && one.offset + one.size <= offset + size);
  const left = set.parts
    .filter((part) => !isRestored(part))
    .map((part) => ({ name: part.name, why: wanted.includes(part) ? placeFault(part, board, withTable) : null }));
  const lines = [
    ...placed.map(({ name, offset, size }) => `  ${name} at ${addressText(offset)}, ${sizeText(size)}`),
    ...left.map(({ name, why }) => `Not restored: ${name}${why === null ? '' : `. ${why}`}`),
  ];
  const isWhole = placed.some(({ name }) => name === FLASH_PART);
  const spared = isWhole && keepsOwn ? ownRanges(board) : [];
  if (spared.length > 0) {
    const own = spared.map(({ name }) => name).join(', ');
    lines.push(`Stays as it is on this board: ${own}. With --no-keep-nvs the backup replaces it.`);
  }
  output.step('parts', { parts: placed.map(({ name }) => name), left, spared }, lines.join('\n'));
  if (placed.length === 0) {
    throw new CommandError(exitCodes.refused, 'nothing was written: this board has a place for no part of the backup.');
  }
  return placed.map((part) => restoreChange(part, part.name === FLASH_PART ? spared : [], board.canErase));
}
