/** Answers "Will this image start here?" for the regions of a plan, in the terms of all families. */
import type { WarningFinding } from '../../core/flash-plan.ts';
import type { FlashRegion } from '../../core/region.ts';
import type { PlanFacts } from '../../family-values.ts';
import { flashStart } from '../files/index.ts';
import { judgeStart } from '../files/start-verdict.ts';
import type { RpInfo } from '../rp-board.ts';

type StartAnswer = NonNullable<PlanFacts['start']>;

/**
 * Judges what a write leaves at the start of flash, from which the boot ROM starts. Null for data that goes elsewhere,
 * because the program on the board is not known.
 *
 * @param regions In the order of addresses.
 */
export async function answerStart(
  regions: readonly FlashRegion[],
  { chip, cpu, flashSize, secureBoot }: Pick<RpInfo, 'chip' | 'cpu' | 'flashSize' | 'secureBoot'>,
): Promise<StartAnswer | null> {
  if (regions[0]?.offset !== flashStart) {
    return null;
  }
  const segments = regions.map(({ offset, bytes }) => ({ address: offset, bytes }));
  const { starts, text, steps, reason } = await judgeStart(segments, {
    chip,
    flashSize,
    ...(cpu !== null && { cpu }),
    isSecure: secureBoot === true,
  });
  const result = starts === null ? 'unknown' : starts ? 'yes' : 'no';
  return {
    result,
    why: text,
    checks: steps.map((step) => ({ result, text: step.replace(/\.$/, ''), fact: reason })),
  };
}

/** Warns of a program that does not start, unless the plan is refused anyway. */
export function withStart(
  warnings: readonly WarningFinding<string>[],
  start: StartAnswer | null,
  refusals: readonly unknown[],
): readonly WarningFinding<string>[] {
  return start?.result !== 'no' || refusals.length > 0
    ? warnings
    : [
        ...warnings,
        {
          code: 'does-not-start',
          files: [],
          what: start.why,
          remedy: 'The board stays in BOOTSEL, or nothing answers. Choose the firmware of this board.',
        },
      ];
}
