/** Sentences about a plan and its write, with their figures. */
import { type FamilyId, familyTraits } from '@wirebench/boards';
import type { WritePhase, WriteReport, WriteStage } from '../core/board.ts';
import { addressText, sizeText } from '../core/bytes.ts';
import { durationText } from '../core/durations.ts';
import type { FlashRange } from '../core/region.ts';
import type { PlanFacts } from '../family-values.ts';
import type { ManifestRelease, ManifestVersion } from '../release/read-manifest.ts';

/** Words of a write by what it does: erased flash is written too. */
const workWords = {
  write: { done: 'written', there: 'there', thereBefore: 'on the board' },
  erase: { done: 'erased', there: 'erased', thereBefore: 'erased' },
} as const;

/** Purpose of a write. */
export type WrittenWork = keyof typeof workWords;

/** Result of a write as one sentence. */
export function resultText({ state, written, same, duration }: WriteReport, work: WrittenWork = 'write'): string {
  const time = durationText(duration);
  const { done, there } = workWords[work];
  if (written === 0) {
    return state === 'complete'
      ? `Nothing had to be ${done}: all ${sizeText(same)} were ${there} already, verified in ${time}.`
      : `Nothing had to be ${done}: the board reports that all ${sizeText(same)} are ${there}.`;
  }
  const already = same > 0 ? `, ${sizeText(same)} were ${there} already` : '';
  return state === 'complete'
    ? `${sizeText(written)} ${done} and verified in ${time}${already}.`
    : `${sizeText(written)} ${done} in ${time}${already}. This board cannot confirm that it arrived intact.`;
}

const listed = new Intl.ListFormat('en');

/**
 * Names what a plan erases that erases everything: `the whole flash`, or what stays of it. `restored` areas are stored
 * settings, which are read before and written back. `kept` areas are never erased, such as a bootloader.
 *
 * @param names False: leaves out the names of partitions, which a visitor of a release does not know.
 */
export function erasedFlash({ map }: Pick<PlanFacts, 'map'>, names = true): string {
  const withFate = (...fates: readonly string[]) => map.filter(({ fate }) => fates.includes(fate));
  const named = (areas: PlanFacts['map']) => [...new Set(areas.flatMap(({ name }) => name ?? []))];
  const restored = withFate('restored');
  const settings = named(restored);
  const inBrackets = names && settings.length > 0 ? ` (${listed.format(settings)})` : '';
  const stays = [
    ...(restored.length === 0 ? [] : [`the stored settings${inBrackets}`]),
    ...named(withFate('kept')).map((name) => `the ${name}`),
  ];
  return stays.length === 0 ? 'the whole flash' : `all flash except ${listed.format(stays)}`;
}

/** Result of a plan as sentences. */
export function planText(
  plan: Pick<PlanFacts, 'toWrite' | 'same' | 'duration' | 'eraseAll' | 'map'>,
  work: WrittenWork = 'write',
): string {
  const { toWrite, same, duration, eraseAll } = plan;
  const { done, thereBefore } = workWords[work];
  if (eraseAll) {
    return `${capital(erasedFlash(plan))} is erased, then ${sizeText(toWrite)} are written. This takes ${roughText(duration)}.`;
  }
  if (toWrite === 0) {
    return `All ${sizeText(same)} are ${thereBefore} already. Nothing has to be ${done}.`;
  }
  const already = same > 0 ? ` ${sizeText(same)} are ${thereBefore} already and are skipped.` : '';
  return `${sizeText(toWrite)} are ${done}.${already} This takes ${roughText(duration)}.`;
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const roughText = (milliseconds: number) =>
  milliseconds < 1_000
    ? 'less than a second'
    : `about ${durationText(Math.round(milliseconds / 1_000) * 1_000).replace('.0', '')}`;

export const erasedAllText = 'The board does not start again until firmware is written to it.';

/** Names all flash that an erase of a family's boards takes: `the whole flash`. */
export function wholeFlashText(family: FamilyId): string {
  const [inFlash] = familyTraits[family].keptByErase ?? [];
  return inFlash === undefined ? 'the whole flash' : `all flash except ${inFlash}`;
}

/** Says what an erase takes. @param range Null: all of the flash. */
export function eraseText(family: FamilyId, range: FlashRange | null): string {
  const { keptByErase = [] } = familyTraits[family];
  const all =
    keptByErase.length === 0
      ? 'The program, its settings and all data are erased.'
      : `The program is erased. ${capital(listed.format(keptByErase))} stay as they are.`;
  return range === null
    ? `${all} ${erasedAllText}`
    : `Everything from ${addressText(range.offset)} to ${addressText(range.offset + range.length - 1)} is erased.`;
}

export const phaseText = {
  saving: 'Reading the data to keep',
  erasing: 'Erasing',
  comparing: 'Comparing with the board',
  writing: 'Writing',
  verifying: 'Verifying',
} as const satisfies Record<WritePhase | WriteStage, string>;

/** `1.2 MB of 4 MB`, `88.4 kB/s`, `12.0 s left`: as far as they are known. */
export function figures(
  done: number,
  total: number,
  speed: number | null,
  remaining: number | null,
): { readonly bytes: string; readonly speed: string; readonly left: string } {
  return {
    bytes: total === 0 ? '' : `${sizeText(done)} of ${sizeText(total)}`,
    // Nothing has moved yet: a speed of 0 and an endless time are no figures.
    speed: speed === null || !(speed > 0) ? '' : `${(speed / 1_000).toFixed(1)} kB/s`,
    left: remaining === null || !Number.isFinite(remaining) ? '' : `${durationText(Math.max(0, remaining))} left`,
  };
}

/** `weather-node 1.4.0`; only the name without a version. */
export const titleOf = (name: string, version: string) => `${name} ${version}`.trim();

/** `weather-node 1.4.0, published by mara on wirebench.example`. */
export function releaseText(
  { name, publisher, host }: Pick<ManifestRelease, 'name' | 'publisher' | 'host'>,
  { version }: Pick<ManifestVersion, 'version'>,
): string {
  const by = publisher === null ? '' : `, published by ${publisher} on ${host}`;
  return `${titleOf(name, version)}${by}`;
}
