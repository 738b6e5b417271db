/** A plan of a board's family: shown, refusals overridden, confirmed and carried out. */
import { rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  namedAreas,
  phaseText,
  plannedFiles,
  planText,
  resultText,
  shellText,
  type WrittenWork,
} from '@wirebench/flasher/callers';
import {
  addressText,
  boardStateText,
  type FailureText,
  FlashError,
  keepQuestion,
  sizeText,
} from '@wirebench/flasher/core';
import type { Family, FamilyBoard, PlanRequest, SavedFile } from '@wirebench/flasher/family';
import type { PlanFacts } from '@wirebench/flasher/family-values';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { ownerOnly, saveFile } from '../saved-file.ts';
import { type BoardRun, boardFailure } from './board-run.ts';

const againText = 'The same command again writes the rest.';

/** Words of a planned write. */
interface PlanWords {
  /** Asked before the write. */
  readonly question: string;
  /** `erase`: everything that is written erases. Missing: `write`. */
  readonly work?: WrittenWork;
  /** Said in front of a plan that changes the board. */
  readonly effect?: string;
}

const withoutText = { write: 'nothing was written', erase: 'nothing was erased' } as const;

/**
 * Plans, asks and writes. Returns false if only the plan was asked for.
 *
 * @param checkUnchanged Called right before the write. Rejects if the plan is no longer what was asked for.
 * @param remedy Says what completes a write that was cut short.
 */
export async function planAndWrite(
  run: BoardRun,
  family: Family,
  board: FamilyBoard,
  request: PlanRequest<never>,
  words: PlanWords,
  checkUnchanged: () => Promise<void> = async () => undefined,
  remedy: () => string = () => againText,
): Promise<boolean> {
  const { options } = run;
  const { question, work = 'write' } = words;
  const without = withoutText[work];
  const overrides = [...overridesOf(options)];
  let plan = await planned(run, board, { ...request, overrides }, words);
  while (plan.refusals.length > 0) {
    overrides.push(await overriddenBy(run, plan.refusals, without));
    plan = await planned(run, board, { ...request, overrides }, words);
  }
  if (options['plan'] === true) {
    return false;
  }
  // A plan that changes nothing needs no consent.
  if (plan.toWrite > 0 || plan.eraseAll) {
    await agreed(run, `${question} [y/N] `, without);
  }
  await checkUnchanged();
  await write(run, family, board, work, remedy);
  return true;
}

/** Returns the codes of `--override`. */
export const overridesOf = ({ override }: OptionValues): readonly string[] =>
  typeof override === 'string' ? override.split(',') : [];

/** Plans, with findings in the words of a shell, and shows the plan. */
async function planned(
  run: BoardRun,
  board: FamilyBoard,
  request: PlanRequest<never>,
  words: PlanWords,
): Promise<PlanFacts> {
  const plan = await board.plan(request, run.ended.signal);
  const given = savesFiles(run) ? [] : (plan.saved ?? []).map(({ file }) => file);
  const worded = {
    ...plan,
    refusals: plan.refusals.map(inShellWords),
    overridden: plan.overridden.map(inShellWords),
    warnings: plan.warnings
      .map(inShellWords)
      .map((warning) =>
        warning.files.some((file) => given.includes(file))
          ? { ...warning, remedy: 'They are lost: --no-save-files gives them up.' }
          : warning,
      ),
  };
  showPlan(run, board, worded, words);
  return worded;
}

/** False: a person gives up files of the board that the write takes. */
const savesFiles = ({ options }: BoardRun): boolean => options['saveFiles'] !== false;

const inShellWords = <Finding extends FailureText>(finding: Finding): Finding => ({
  ...finding,
  what: shellText(finding.what),
  remedy: shellText(finding.remedy),
});

function showPlan(
  { output, options }: BoardRun,
  board: FamilyBoard,
  plan: PlanFacts,
  { work, effect }: PlanWords,
): void {
  const { refusals, overridden, warnings, toWrite, same, duration, eraseAll, stored } = plan;
  const files = plannedFiles(board, plan);
  const { kept, erased } = namedAreas(board, plan);
  const asked = options['eraseAll'] === true || stored === undefined ? null : keepQuestion(stored);
  const lines = [
    ...(effect === undefined || toWrite === 0 ? [] : [effect]),
    ...files.map(({ name, at, length }) => `  ${name}${at === null ? '' : ` at ${at}`}, ${sizeText(length)}`),
    ...(kept.length > 0 ? [`Kept: ${kept.join(', ')}`] : []),
    ...(erased.length > 0 ? [`Erased: ${erased.join(', ')}`] : []),
    ...(asked === null
      ? []
      : [
          `${asked.text}: ${[asked.keep.label, asked.keep.note].filter((word) => word !== '').join(', ')}` +
            ` (--erase-all: ${asked.erase.label.toLowerCase()})`,
        ]),
    ...overridden.map(({ what }) => `Overridden: ${what}`),
    ...warnings.map(({ what, remedy }) => `Warning: ${what} ${remedy}`.trim()),
    ...refusals.map(({ what, remedy }) => `Refused: ${what} ${remedy}`.trim()),
    ...(refusals.length > 0 ? [] : [planText(plan, work)]),
  ];
  const facts = {
    refusals,
    overridden,
    warnings,
    regions: plan.regions,
    kept,
    erased,
    eraseAll,
    toWrite,
    same,
    duration,
  };
  output.step('plan', facts, lines.join('\n'));
}

/**
 * Returns the code of the first refusal, which a person has typed.
 *
 * @param without The consequence of no code, without a full stop.
 * @throws CommandError for one that cannot be overridden, and without the typed code.
 */
export async function overriddenBy(
  { options, output, ended }: BoardRun,
  refusals: PlanFacts['refusals'],
  without: string,
): Promise<string> {
  const final = refusals.find(({ overridable }) => !overridable);
  const [first] = refusals;
  if (final !== undefined || first === undefined) {
    throw new CommandError(exitCodes.refused, `${without}. ${final?.what ?? ''}`.trim());
  }
  if (!output.canAsk || options['plan'] === true) {
    throw new CommandError(
      exitCodes.refused,
      `${without}. ${first.what} With --override ${first.code} it is done anyway.`,
    );
  }
  const typed = await output.ask(`Do it anyway? Type ${first.code} to do so: `, ended.signal);
  if (typed !== first.code) {
    throw new CommandError(exitCodes.refused, `${without}.`);
  }
  return first.code;
}

/**
 * Asks for consent, which `--yes` gives.
 *
 * @param without The consequence of no consent, without a full stop.
 * @throws CommandError without consent.
 */
export async function agreed({ options, output, ended }: BoardRun, question: string, without: string): Promise<void> {
  if (options['yes'] === true) {
    return;
  }
  if (!output.canAsk) {
    throw new CommandError(
      exitCodes.refused,
      `${without}: there is no terminal to ask on. With --yes this plan is carried out.`,
    );
  }
  if (!/^y(?:es)?$/i.test(await output.ask(question, ended.signal))) {
    throw new CommandError(exitCodes.refused, `${without}.`);
  }
}

async function write(
  run: BoardRun,
  family: Family,
  board: FamilyBoard,
  work: WrittenWork,
  remedy: () => string,
): Promise<void> {
  const { output, ended } = run;
  const kept: KeptFile[] = [];
  try {
    const report = await board.write({
      signal: ended.signal,
      save: async (files) => {
        if (savesFiles(run)) {
          await keepFiles(run, files, kept);
        }
      },
      onStage: (stage) => output.passing('stage', { stage }, phaseText[stage]),
      onEvent: (event) => {
        if (event.type === 'progress') {
          output.progress(event);
        } else {
          const { type, ...facts } = event;
          output.step(type, facts);
        }
      },
    });
    const { state, written, same, duration, repeated } = report;
    const facts = { verified: state === 'complete', written, same, duration, repeated };
    output.step('written', facts, resultText(report, work));
    await Promise.all(kept.filter(({ isPutBack }) => isPutBack).map(({ path }) => rm(path, { force: true })));
  } catch (error) {
    if (error instanceof CommandError) {
      // The files could not be saved, so the write has not begun.
      throw error;
    }
    run.waits = true;
    const hasAll = error instanceof FlashError && error.state === 'unchanged';
    if (hasAll) {
      await Promise.all(kept.splice(0).map(({ path }) => rm(path, { force: true })));
    }
    const unsaved = hasAll ? [] : await keepLeft(run, board, kept);
    throw await boardFailure(run, family, error, (failure) => leftText(failure, kept, unsaved, remedy));
  }
}

/** A file with data of the board. */
interface KeptFile extends Omit<SavedFile, 'bytes'> {
  readonly path: string;
}

/**
 * Saves files of the board before a write takes them: what it puts back exists only here if this program ends in between.
 * An existing file is not replaced.
 *
 * @param kept Receives the files that are saved.
 * @throws CommandError for a file that cannot be written.
 */
async function keepFiles({ output }: BoardRun, files: readonly SavedFile[], kept: KeptFile[]): Promise<void> {
  for (const { bytes, ...file } of files) {
    const path = await freeName(file.name);
    try {
      await saveFile(path, bytes, { mode: ownerOnly });
    } catch (error) {
      const { message } = error as Error;
      throw new CommandError(
        exitCodes.failed,
        `nothing was written, because the data of the board could not be saved as ${resolve(path)}: ${message}. Run the command in a folder that has room and can be written. With --no-save-files it writes without saving.`,
      );
    }
    kept.push({ ...file, path });
    const { isPutBack, offset } = file;
    const what = offset === undefined ? 'Files of the board are' : 'What the write puts back is';
    const until = isPutBack ? (offset === undefined ? ' until they are back on the board' : ' until it is done') : '';
    output.step('saved', { file: path, folder: resolve('.'), isPutBack }, `${what} in ${path}${until}.`);
  }
}

/**
 * Saves what a write that has failed was to put back, and what is in memory only.
 *
 * @param kept Receives the files that are saved. @returns the names of those that are not.
 */
async function keepLeft(run: BoardRun, board: FamilyBoard, kept: KeptFile[]): Promise<readonly string[]> {
  const left = (board.savedFiles?.() ?? []).filter(({ name }) => !kept.some((one) => one.name === name));
  const unsaved: string[] = [];
  for (const file of savesFiles(run) ? left : left.filter(({ offset }) => offset !== undefined)) {
    await keepFiles(run, [file], kept).catch(() => unsaved.push(file.name));
  }
  return unsaved;
}

/** Returns the name, with a number if there is such a file: `rp2040-files-2.zip`. */
async function freeName(name: string): Promise<string> {
  for (let number = 1; ; number++) {
    const path = number === 1 ? name : name.replace(/(\.\w+)?$/, `-${number}$1`);
    const isFree = await stat(path).then(
      () => false,
      () => true,
    );
    if (isFree) {
      return path;
    }
  }
}

/** @param kept Data of the board in files. @param unsaved Names of data that could not be saved. */
function leftText(
  { state }: FlashError,
  kept: readonly KeptFile[],
  unsaved: readonly string[],
  remedy: () => string,
): string {
  if (state === 'unchanged') {
    return boardStateText.unchanged;
  }
  const files = kept.filter(({ offset }) => offset === undefined).map(({ path }) => path);
  const parts = kept.flatMap(({ path, offset }) => (offset === undefined ? [] : [`${addressText(offset)}=${path}`]));
  const sentences = [
    boardStateText[state],
    ...(files.length === 0 ? [] : [`Files of the board are in ${files.join(', ')}.`]),
    ...(parts.length === 0
      ? []
      : [`What was not written back is saved: "wirebench flash PORT ${parts.join(' ')}" writes it.`]),
    ...(unsaved.length === 0 ? [] : [`This could not be saved and may be lost: ${unsaved.join(', ')}.`]),
    remedy(),
  ];
  return sentences.join(' ');
}
