/**
 * Checks the files of one build against its chip, by the rules of the flash plans. Files with their own addresses are
 * checked like `.bin` files at these addresses.
 */
import { familyTraits } from '@wirebench/boards';
import { quoted } from '../core/findings.ts';
import { checkRelease, type ReleaseCheck, type ReleaseDevice, type ReleaseFinding } from './check-release.ts';
import type { BuildFileReading } from './read-build-file.ts';

export interface BuildFile {
  readonly name: string;
  readonly reading: BuildFileReading;
}

export interface CheckedDevice extends ReleaseDevice {
  /** Vendor's spelling of the model, for sentences. */
  readonly label: string;
}

/**
 * Checks the files. Synchronous and quick, because the bytes were read before. Findings name the uploaded files, even if
 * they concern a file in an archive.
 */
export function checkBuild(files: readonly BuildFile[], device: CheckedDevice): ReleaseCheck {
  const refusals = files.flatMap((file) => refusalsOf(file, device));
  if (refusals.length > 0) {
    return { refusals, damage: [], warnings: [] };
  }
  const pieces = files.flatMap(({ reading }) => reading.pieces);
  const check = checkRelease(
    pieces.map(({ name, offset, size, reading }) => ({ name, offset: offset ?? 0, size, reading })),
    { ...device, isBuild: true },
  );
  const uploaded = (names: readonly string[]) => [
    ...new Set(
      names.map(
        (name) => files.find(({ reading }) => reading.pieces.some((piece) => piece.name === name))?.name ?? name,
      ),
    ),
  ];
  const named = (findings: readonly ReleaseFinding[]) =>
    findings.map((finding) => ({ ...finding, files: uploaded(finding.files) }));
  return { refusals: named(check.refusals), damage: named(check.damage), warnings: named(check.warnings) };
}

function refusalsOf(
  { name, reading }: BuildFile,
  { deviceFamily, deviceModel, label }: CheckedDevice,
): ReleaseFinding[] {
  const { pieces, target, fault } = reading;
  if (fault !== null) {
    return [{ code: 'unreadable', files: [name], ...fault }];
  }
  if (target !== null && !fits(target, deviceModel)) {
    return [
      {
        code: 'wrong-chip',
        files: [name],
        what: `${quoted([name])} was built for ${target}, but this build is for ${label}.`,
        remedy: `Choose the file of the ${label} build, or make a build for ${target}.`,
      },
    ];
  }
  const loose = pieces.find(({ offset }) => offset === null);
  return loose === undefined || familyTraits[deviceFamily].hasPlacedFiles
    ? []
    : [
        {
          code: 'no-offset',
          files: [name],
          what: `Nothing says where ${quoted([loose.name])} goes.`,
          remedy: 'Send it as a .bin file with an offset, or add the flasher_args.json of the build to the archive.',
        },
      ];
}

/**
 * Returns true if a chip or series that a file states can be the model, which may be a chip or a series, too:
 * `STM32F407` fits `stm32f4`, and `STM32F4` fits `stm32f`.
 */
function fits(target: string, model: string): boolean {
  const chip = target.toLowerCase();
  return chip.startsWith(model) || model.startsWith(chip);
}
