/** A plan of a board's family: shown, refusals overridden, confirmed and carried out. */
import { rm, stat } from 'node:fs/promises';
import {
  namedAreas,
  phaseText,
  plannedFiles,
  planText,
  resultText,
  shellText,
  type WrittenWork,
} from '@wirebench/flasher/callers';
import { boardStateText, type FailureText, type FlashError, keepQuestion, sizeText } from '@wirebench/flasher/core';
import type { Family, FamilyBoard, PlanRequest } from '@wirebench/flasher/family';
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
  await write(run, family, board, plan, work, remedy);
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
  const worded = {
    ...plan,
    refusals: plan.refusals.map(inShellWords),
    overridden: plan.overridden.map(inShellWords),
    warnings: plan.warnings.map(inShellWords),
  };
  showPlan(run, board, worded, words);
  return worded;
}

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
  plan: PlanFacts,
  work: WrittenWork,
  remedy: () => string,
): Promise<void> {
  const { output, ended } = run;
  const kept = await keepSavedFiles(run, board);
  try {
    const report = await board.write({
      signal: ended.signal,
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
    run.waits = true;
    throw await boardFailure(run, family, error, (failure) => leftText(failure, plan, remedy));
  }
}

/**
 * Saves files of the board that the write takes, before it begins: what it puts back exists only here if this program
 * ends in between. An existing file is not replaced.
 */
async function keepSavedFiles(
  { output }: BoardRun,
  board: FamilyBoard,
): Promise<readonly { readonly path: string; readonly isPutBack: boolean }[]> {
  const kept: { path: string; isPutBack: boolean }[] = [];
  for (const { name, bytes, isPutBack } of board.savedFiles?.() ?? []) {
    const path = await freeName(name);
    await saveFile(path, bytes, ownerOnly);
    kept.push({ path, isPutBack });
    const until = isPutBack ? ' until they are back on the board' : '';
    output.step('saved', { file: path, isPutBack }, `Files of the board are in ${path}${until}.`);
  }
  return kept;
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

/** @param plan Plan of the write that has failed. */
function leftText({ state }: FlashError, plan: PlanFacts, remedy: () => string): string {
  if (state === 'unchanged') {
    return boardStateText.unchanged;
  }
  const lost = plan.map
    .filter(({ fate }) => fate === 'restored')
    .map(({ name, offset }) => name ?? `0x${offset.toString(16)}`);
  const gone = lost.length === 0 ? '' : ` What was to be written back may be lost: ${[...new Set(lost)].join(', ')}.`;
  return `${boardStateText[state]}${gone} ${remedy()}`;
}
