/** Which card the arrow keys choose. */

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at, last) => (at === last ? 0 : at + 1),
  ArrowLeft: (at, last) => (at === 0 ? last : at - 1),
  Home: () => 0,
  End: (_at, last) => last,
};

/** The card that `key` leads to from `current`, or null when the key is none of theirs. */
export function cardAfter<Id>(order: readonly Id[], current: Id, key: string): Id | null {
  const step = steps[key];
  return step === undefined ? null : (order[step(order.indexOf(current), order.length - 1)] ?? null);
}
