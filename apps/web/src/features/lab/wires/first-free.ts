import type { OwnedPin, PinFacts } from '../../../protocol/lab-protocol.ts';

/** Returns free pins for a bus: the usual ones if all of them are free, else any. */
export function firstFree(
  pins: readonly PinFacts[],
  owned: readonly OwnedPin[],
  usual: readonly number[],
  count: number,
): readonly number[] {
  const free = pins.flatMap(({ gpio, rule }) =>
    rule === 'free' && !owned.some((one) => one.gpio === gpio) ? [gpio] : [],
  );
  const known = pins.flatMap(({ gpio, rule }) => (rule !== 'locked' && usual.includes(gpio) ? [gpio] : []));
  const wanted = usual.every((gpio) => known.includes(gpio) && !owned.some((one) => one.gpio === gpio)) ? usual : free;
  return wanted.slice(0, count);
}
