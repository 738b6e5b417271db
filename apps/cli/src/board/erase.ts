/** `wirebench erase`: a range of a board's flash, or all of it. */
import { familyTraits } from '@wirebench/boards';
import { eraseText, loadFamily, wholeFlashText } from '@wirebench/flasher/callers';
import { addressText, eraseChange, sizeText } from '@wirebench/flasher/core';
import type { Family, FamilyBoard, FlashLock } from '@wirebench/flasher/family';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { unnamedPort } from '../given-ports.ts';
import { type BoardRun, boardFailure, onBoard, runOnBoard, showRestart } from './board-run.ts';
import { familyOf, wantedRange, wholeFlash } from './named-range.ts';
import { agreed, overriddenBy, overridesOf, planAndWrite } from './planned-write.ts';

export async function runErase(given: readonly string[], options: OptionValues): Promise<ExitCode> {
  const [port = '', ...others] = given;
  if (others.length > 0) {
    throw await unnamedPort('name a port.');
  }
  return runOnBoard(port, options, async (run) => {
    const id = familyOf(options, run.target.family);
    const family = await loadFamily(id);
    const erase = familyTraits[id].hasPartitions === true ? eraseByPlan : eraseByLoader;
    const done = await onBoard(run, family, (board) => erase(run, family, board));
    if (done.result) {
      showRestart(run, done);
    }
    return exitCodes.ok;
  });
}

/** Erases as a change of the flash, whose plan knows what else is on the board. Returns false after the plan alone. */
async function eraseByPlan(run: BoardRun, family: Family, board: FamilyBoard): Promise<boolean> {
  const wanted = wantedRange(board, run.options['range']);
  const { name, range } = wanted ?? wholeFlash(board);
  const settings = family.releaseSettings(false) as never;
  const request = { files: [], settings, guard: null, changes: [eraseChange(name, range)] };
  run.output.step('erase', { name, ...range });
  const effect = eraseText(board.facts.family, wanted === null ? null : range);
  try {
    return await planAndWrite(run, family, board, request, { question: 'Erase?', work: 'erase', effect });
  } catch (error) {
    throw await boardFailure(run, family, error);
  }
}

/** Removes a lock of the flash, with everything that it holds. Returns false: the board starts nothing afterwards. */
async function unlock(run: BoardRun, family: Family, board: FamilyBoard, lock: FlashLock): Promise<false> {
  const { output, options, ended } = run;
  const { code, what, remedy, action } = lock;
  const refusal = { code, files: [], overridable: true, what, remedy };
  output.step('erase', { name: 'flash', range: null, refusals: [refusal] }, `Refused: ${what} ${remedy}`);
  if (!overridesOf(options).includes(code)) {
    await overriddenBy(run, [refusal], 'nothing was erased');
  }
  if (options['plan'] === true) {
    return false;
  }
  try {
    await board.perform(action as never, {
      signal: ended.signal,
      onProgress: output.barOf('erasing', 'Erasing'),
    });
  } catch (error) {
    throw await boardFailure(run, family, error, () => 'A part of it may be erased.');
  }
  output.step('erased', { name: 'flash', range: null }, `Erased ${wholeFlashText(board.facts.family)} and its lock.`);
  return false;
}

/** Erases at once. Returns false after the plan alone. */
async function eraseByLoader(run: BoardRun, family: Family, board: FamilyBoard): Promise<boolean> {
  const { output, options, ended } = run;
  const { lock = null } = board;
  if (lock !== null && options['range'] === undefined) {
    return unlock(run, family, board, lock);
  }
  if (!board.canEraseAll) {
    throw new CommandError(exitCodes.refused, 'this bootloader erases only what it writes.');
  }
  const wanted = wantedRange(board, options['range']);
  const name = wanted?.name ?? 'flash';
  const range = wanted === null ? null : (board.erasedWith?.(wanted.range) ?? wanted.range);
  output.step('erase', { name, range }, eraseText(board.facts.family, range));
  if (options['plan'] === true) {
    return false;
  }
  await agreed(run, 'Erase? [y/N] ', 'nothing was erased');
  try {
    await board.erase(range, {
      signal: ended.signal,
      onProgress: output.barOf('erasing', 'Erasing'),
    });
  } catch (error) {
    throw await boardFailure(run, family, error, () => 'A part of it may be erased.');
  }
  output.step(
    'erased',
    { name, range },
    range === null
      ? `Erased ${wholeFlashText(board.facts.family)}.`
      : `${addressText(range.offset)} was erased, ${sizeText(range.length)}.`,
  );
  return true;
}
