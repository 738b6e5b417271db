/** `wirebench flash`: the plan of a build for a board, its write, and the log of its program. */
import { boardFactsOf, loadFamily, releaseText, shellText } from '@wirebench/flasher/callers';
import { sizeText } from '@wirebench/flasher/core';
import type { Family, FamilyBoard, PlanRequest } from '@wirebench/flasher/family';
import { loadBuildFiles } from '@wirebench/flasher/release';
import { buildName, chooseBuild, otherVersionText, versionFor } from '@wirebench/flasher/release/builds';
import { readAwaited, readWait } from '../awaited-text.ts';
import { type BoardRun, boardFailure, onBoard, runOnBoard, showRestart } from '../board/board-run.ts';
import { planAndWrite } from '../board/planned-write.ts';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { wholeNumber } from '../port-options.ts';
import { followProgram } from './follow-program.ts';
import { type LocalBuild, manifestFailure, type ReleaseToWrite, readBuild } from './given-build.ts';
import { checkOwnOptions, checkOwnValues, withOwnOptions } from './own-settings.ts';

/** Longest wait for `--until` and `--fail-on` without `--timeout`, in milliseconds. */
const STANDARD_WAIT = 30_000;

export async function runFlash(given: readonly string[], options: OptionValues): Promise<ExitCode> {
  const [port = '', ...named] = given;
  if (named.length === 0) {
    throw new CommandError(exitCodes.usage, 'name a build: a folder, an archive, files or a release link.');
  }
  const awaited = readAwaited(options);
  const wait = readWait(options, awaited, STANDARD_WAIT);
  const logRate = wholeNumber(options['logBaud'], '--log-baud', 1, 0xffff_ffff);
  checkOwnValues(options);
  return runOnBoard(port, options, async (run) => {
    const { target, ended } = run;
    const build = await readBuild(named, run.options, target.family, ended.signal);
    showFiles(run, build);
    checkOwnOptions(build.family, options);
    const family = await loadFamily(build.family);
    const early: Uint8Array[] = [];
    let code: ExitCode = exitCodes.ok;
    await onBoard(
      run,
      family,
      async (board) => {
        const isWritten = await carryOut(run, family, board, build);
        run.onText = (bytes) => early.push(bytes);
        return isWritten;
      },
      async (done) => {
        if (done.result) {
          showRestart(run, done);
          code =
            wait === 0
              ? exitCodes.ok
              : await followProgram(run, { family, board: done.board, early, awaited, wait, logRate });
        }
      },
    );
    return code;
  });
}

/** Says what of the files is written. */
export function showFiles({ output }: BoardRun, build: LocalBuild | ReleaseToWrite): void {
  if (build.kind === 'release') {
    const { release, version } = build;
    const faults = version.faults.map((fault) => `\n${fault}`).join('');
    output.step(
      'release',
      { name: release.name, version: version.version },
      `${releaseText(release, version)}${faults}`,
    );
    return;
  }
  const { files, leftOut, conflicts } = build.chosen;
  output.step('files', {
    family: build.family,
    files: files.map(({ name, size, what, offset, sha256 }) => ({ name, size, what, offset, sha256 })),
    leftOut: leftOut.map((file) => ({ ...file, why: shellText(file.why) })),
  });
  for (const { code, what, stops, ...conflict } of conflicts) {
    const remedy = shellText(conflict.remedy);
    if (stops) {
      const hint = code === 'several-builds' ? ` ${buildHint(build)}` : '';
      throw new CommandError(exitCodes.refused, `${what} ${remedy}${hint}`);
    }
    output.step('warning', { code, what, remedy }, `Warning: ${what} ${remedy}`);
  }
  const without = files.find(({ offset }) => offset === null);
  if (without !== undefined) {
    const { name, why } = without;
    throw new CommandError(
      exitCodes.refused,
      `${name}: ${shellText(why)} Give its offset in front of it: 0x10000=${name}`,
    );
  }
}

function buildHint({ chosen: { builds } }: LocalBuild): string {
  const names = builds?.options.map(({ name, chip }) => (chip === null ? `"${name}"` : `"${name}" (${chip})`)) ?? [];
  return `Say it with --build <name>: ${names.join(', ')}.`;
}

/**
 * Plans, asks and writes. Returns false if only the plan was asked for.
 *
 * @param check Called right before the write. Rejects if something else than the plan has to be the same.
 */
export async function carryOut(
  run: BoardRun,
  family: Family,
  board: FamilyBoard,
  build: LocalBuild | ReleaseToWrite,
  check: () => Promise<void> = async () => undefined,
): Promise<boolean> {
  try {
    const request = await requestFor(run, family, board, build);
    return await planAndWrite(run, family, board, request, { question: 'Write?' }, async () => {
      await checkUnchanged(build);
      await check();
    });
  } catch (error) {
    throw await boardFailure(run, family, error);
  }
}

async function requestFor(
  run: BoardRun,
  family: Family,
  board: FamilyBoard,
  build: LocalBuild | ReleaseToWrite,
): Promise<PlanRequest<never>> {
  const { options, output, target } = run;
  const eraseAll = options['eraseAll'] === true;
  if (eraseAll && !board.canEraseAll) {
    throw new CommandError(exitCodes.refused, 'this board erases only what is written: leave --erase-all out.');
  }
  const settings = withOwnOptions(family.releaseSettings(eraseAll), options) as never;
  if (build.kind === 'files') {
    return { files: build.forPlan() as never, settings, guard: null };
  }
  const { release, version, request } = build;
  const facts = boardFactsOf(board.facts);
  const choice = chooseBuild(version.builds, facts);
  const chosen =
    choice.kind === 'chosen'
      ? choice.build
      : choice.candidates.find((candidate) => buildName(candidate) === options['build']);
  if (chosen === undefined) {
    const { sentence, candidates } = choice.kind === 'chosen' ? { sentence: '', candidates: [] } : choice;
    const other = candidates.length > 0 ? null : versionFor(release.versions, facts);
    const told = other === null ? null : otherVersionText(board.facts.name, other.version);
    const names = candidates.map((candidate) => `"${buildName(candidate)}"`).join(', ');
    const hint =
      candidates.length > 0 ? ` Say it with --build <name>: ${names}.` : told === null ? '' : ` ${told.text}`;
    throw new CommandError(exitCodes.refused, `${sentence}${hint}`);
  }
  const loaded = await loadBuildFiles(chosen, request, (received) =>
    output.passing('loading', { received }, `Loading the firmware: ${sizeText(received)}`),
  ).catch((error: unknown) => {
    throw manifestFailure(error);
  });
  const files = await family.readFiles(loaded.map(({ file, bytes }) => ({ ...file, bytes })));
  const { deviceModel: model, guards } = chosen;
  const guard = { model, flashSize: guards.flashSize ?? null, demo: release.isDemo };
  if (release.isDemo && !target.isDemo) {
    output.step('warning', { code: 'demo' }, 'This release runs on demo boards only.');
  }
  return { files: files as never, settings, guard };
}

/** @throws CommandError if a file has changed since it was read, for instance while a question waited for its answer. */
async function checkUnchanged(build: LocalBuild | ReleaseToWrite): Promise<void> {
  const changed = await build.changed();
  if (changed !== null) {
    throw new CommandError(
      exitCodes.refused,
      `nothing was written: ${changed} has changed since it was read. The same command again takes the new build.`,
    );
  }
}
