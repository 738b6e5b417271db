/** `wirebench efuses`: what a board allows, and its eFuses. Nothing is written. */
import { type EfuseWords, securityTitle } from '@wirebench/flasher/esp';
import {
  decodeEfuses,
  type Efuses,
  efuseStateWords,
  efuseSummary,
  fieldMeaning,
  loadEfuseLayout,
  reportLines,
  type SecurityLine,
  securityLines,
  securityMarkText,
  securityText,
} from '@wirebench/flasher/esp/efuses';
import { type BoardRun, boardFailure, runOnBoard, showRestart } from '../board/board-run.ts';
import { type ConnectedEsp, onEspBoard } from '../board/esp-board.ts';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';

/** Width of the longest word of `securityMarkText`. */
const MARK_WIDTH = 7;

export async function runEfuses(given: readonly string[], options: OptionValues): Promise<ExitCode> {
  const [port = '', ...others] = given;
  if (others.length > 0) {
    throw new CommandError(exitCodes.usage, 'name a port.');
  }
  return runOnBoard(port, options, async (run) => {
    const done = await onEspBoard(run, 'eFuses', (esp) => showEfuses(run, esp));
    showRestart(run, done);
    return done.result ? exitCodes.ok : exitCodes.failed;
  });
}

/** Returns false if the board lets no eFuse be read and reports nothing instead. */
async function showEfuses(run: BoardRun, esp: ConnectedEsp): Promise<boolean> {
  const { security } = esp.board.facts.info;
  const title = securityTitle(security);
  if (security.report !== undefined) {
    show(run, title, reportLines(security.report), null);
    return true;
  }
  if (security.secureDownload) {
    run.output.step('efuses', { title, lines: [], fields: [] }, securityText.lockedAway);
    return false;
  }
  const words = await readWords(run, esp);
  const efuses = decodeEfuses(await loadEfuseLayout(words.chip, words.revision), words);
  show(run, title, securityLines(efuses), efuses, esp.board.facts.name);
  return true;
}

/** Returns the eFuses, which some connections have read already. */
async function readWords(run: BoardRun, { family, board }: ConnectedEsp): Promise<EfuseWords> {
  try {
    if (board.facts.efuses === undefined) {
      await board.perform('read-efuses', { signal: run.ended.signal, onProgress: () => undefined });
    }
  } catch (error) {
    throw await boardFailure(run, family, error);
  }
  const { efuses } = board.facts;
  if (efuses === undefined) {
    throw new Error('the eFuses were read');
  }
  return efuses;
}

/** @param efuses Null: only the report of the chip is known. */
function show(
  { output, options }: BoardRun,
  title: string | null,
  lines: readonly SecurityLine[],
  efuses: Efuses | null,
  name = '',
): void {
  const summary =
    efuses === null || options['all'] !== true ? [] : ['', efuseSummary(efuses, [`eFuses of ${name}`]).trimEnd()];
  output.step(
    'efuses',
    { title, lines, fields: efuses === null ? [] : fieldsOf(efuses) },
    [securityText.promise, `${securityText.heading}:`, ...lines.map(lineText), ...summary].join('\n'),
  );
}

function lineText({ mark, text, fuses }: SecurityLine): string {
  const word = securityMarkText[mark].padEnd(MARK_WIDTH);
  return `  ${word}  ${text}${fuses === '' ? '' : ` (${fuses})`}`;
}

/** Returns all fields as plain values. A hidden one has no value. */
function fieldsOf({ values }: Efuses): object[] {
  return values.map((value) => {
    const { field, block, text, number, raw, readable, writable, isBurnt, isDamaged } = value;
    return {
      name: field.name,
      block,
      group: field.group,
      meaning: fieldMeaning(field.name),
      value: readable ? text : null,
      number,
      raw: readable ? raw : null,
      readable,
      writable,
      burnt: isBurnt,
      damaged: isDamaged,
      state: efuseStateWords(value),
    };
  });
}
