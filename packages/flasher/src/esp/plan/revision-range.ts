/** Compares the chip revisions that an image supports with a chip's own. */
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import type { EspImage } from '../images/esp-image.ts';

export interface Revision {
  readonly major: number;
  readonly minor: number;
}

/**
 * Returns the revisions that the image requires, in words, if the chip's revision is not among them; otherwise null.
 *
 * @param ignoresMaximum True: the eFuse DISABLE_WAFER_VERSION_MAJOR is burnt, so the bootloader ignores the maximum.
 */
export function unmetRevision(
  { revisions }: Pick<EspImage, 'revisions'>,
  chip: ChipName,
  { major, minor }: Revision,
  { ignoresMaximum = false }: { readonly ignoresMaximum?: boolean } = {},
): string | null {
  if (revisions === null) {
    return null;
  }
  const { minimum, maximum, legacyMinimum } = revisions;
  const countsMinor = chipFacts[chip].oldRevisionField === 'minor';
  if ((countsMinor ? minor : major) < legacyMinimum) {
    return legacyText(chip, legacyMinimum);
  }
  const revision = 100 * major + minor;
  if (revision >= minimum && (maximum === null || ignoresMaximum || revision <= maximum)) {
    return null;
  }
  return rangeText(minimum, maximum);
}

/** Returns the supported revisions in words: `v0.0 or newer`, `v0.0 to v0.99`. */
export function revisionRangeText({ revisions }: Pick<EspImage, 'revisions'>, chip: ChipName): string {
  if (revisions === null) {
    return 'all';
  }
  const { minimum, maximum, legacyMinimum } = revisions;
  return legacyMinimum > 0 && minimum === 0 && maximum === null
    ? legacyText(chip, legacyMinimum)
    : rangeText(minimum, maximum);
}

/** @param revision As `major × 100 + minor`. */
export function revisionText(revision: number): string {
  return `v${Math.floor(revision / 100)}.${revision % 100}`;
}

function legacyText(chip: ChipName, minimum: number): string {
  return `${chipFacts[chip].oldRevisionField === 'minor' ? `v0.${minimum}` : `v${minimum}.0`} or newer`;
}

function rangeText(minimum: number, maximum: number | null): string {
  return maximum === null
    ? `${revisionText(minimum)} or newer`
    : `${revisionText(minimum)} to ${revisionText(maximum)}`;
}
