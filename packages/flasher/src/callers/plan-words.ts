/** Sentences about a plan and its write, with their figures. */
import type { WritePhase, WriteReport, WriteStage } from '../core/board.ts';
import { addressText, sizeText } from '../core/bytes.ts';
import { durationText } from '../core/durations.ts';
import type { FlashRange } from '../core/region.ts';
import type { PlanFacts } from '../family-values.ts';

/** Result of a write as one sentence. */
export function resultText({ state, written, same, duration }: WriteReport): string {
  const time = durationText(duration);
  if (written === 0) {
    return state === 'complete'
      ? `Nothing had to be written: all ${sizeText(same)} were there already, verified in ${time}.`
      : `Nothing had to be written: the board reports that all ${sizeText(same)} are there.`;
  }
  const already = same > 0 ? `, ${sizeText(same)} were there already` : '';
  return state === 'complete'
    ? `${sizeText(written)} written and verified in ${time}${already}.`
    : `${sizeText(written)} written in ${time}${already}. This board cannot confirm that it arrived intact.`;
}

/** Result of a plan as sentences. */
export function planText({
  toWrite,
  same,
  duration,
  eraseAll,
}: Pick<PlanFacts, 'toWrite' | 'same' | 'duration' | 'eraseAll'>): string {
  if (eraseAll) {
    return `The whole flash is erased, then ${sizeText(toWrite)} are written. This takes ${roughText(duration)}.`;
  }
  if (toWrite === 0) {
    return `All ${sizeText(same)} are on the board already. Nothing has to be written.`;
  }
  const already = same > 0 ? ` ${sizeText(same)} are on the board already and are skipped.` : '';
  return `${sizeText(toWrite)} are written.${already} This takes ${roughText(duration)}.`;
}

const roughText = (milliseconds: number) =>
  milliseconds < 1_000
    ? 'less than a second'
    : `about ${durationText(Math.round(milliseconds / 1_000) * 1_000).replace('.0', '')}`;

export const erasedAllText = 'The board does not start again until firmware is written to it.';

/** Says what an erase takes. @param range Null: all of the flash. */
export function eraseText(range: FlashRange | null): string {
  return range === null
    ? `The program, its settings and all data are erased. ${erasedAllText}`
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
    speed: speed === null ? '' : `${(speed / 1_000).toFixed(1)} kB/s`,
    left: remaining === null ? '' : `${durationText(Math.max(0, remaining))} left`,
  };
}

/** `weather-node 1.4.0`; only the name without a version. */
export const titleOf = (name: string, version: string) => `${name} ${version}`.trim();
