/** `wirebench read`: a range of a board's flash, or all of it, to a file. */

import { createHash } from 'node:crypto';
import { backupFileName, isOneOfMany, loadFamily } from '@wirebench/flasher/callers';
import { addressText, sizeText } from '@wirebench/flasher/core';
import type { Family, FamilyBoard } from '@wirebench/flasher/family';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { unnamedPort } from '../given-ports.ts';
import { isForced, refuseExisting, saveFile } from '../saved-file.ts';
import { type BoardRun, boardFailure, onBoard, runOnBoard, showRestart } from './board-run.ts';
import { familyOf, wantedRange, wholeFlash } from './named-range.ts';

export async function runRead(given: readonly string[], options: OptionValues): Promise<ExitCode> {
  const [port = '', file, ...others] = given;
  if (others.length > 0) {
    throw await unnamedPort('name a port and at most one file.');
  }
  if (file === '-' && options['json'] === true) {
    throw new CommandError(exitCodes.usage, '- and --json both print to standard output: choose one.');
  }
  if (file !== undefined && file !== '-') {
    await refuseExisting(file, isForced(options));
  }
  return runOnBoard(port, options, async (run) => {
    run.output.hasResultsAlone = file === '-';
    const family = await loadFamily(familyOf(options, run.target.family));
    const done = await onBoard(run, family, (board) => readToFile(run, family, board, file));
    showRestart(run, done);
    return exitCodes.ok;
  });
}

async function readToFile(run: BoardRun, family: Family, board: FamilyBoard, file: string | undefined): Promise<void> {
  const { output, ended, options } = run;
  const { name, range } = wantedRange(board, options['range']) ?? wholeFlash(board);
  const path = file ?? backupFileName(board.facts, name, range, isOneOfMany(name) ? new Date() : null);
  if (path !== '-') {
    await refuseExisting(path, isForced(options));
  }
  const bytes = await board
    .read(range, {
      signal: ended.signal,
      onProgress: output.barOf('reading', 'Reading'),
    })
    .catch(async (error: unknown) => {
      throw await boardFailure(run, family, error);
    });
  if (path === '-') {
    output.bytes(bytes);
  } else {
    await saveFile(path, bytes, { replaces: isForced(options) });
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  output.step(
    'read',
    { file: path, name, ...range, sha256 },
    `${sizeText(bytes.length)} from ${addressText(range.offset)} were read to ${path === '-' ? 'standard output' : path}.`,
  );
}
