/** Finds other tabs of Wirebench that hold a board with the same USB ids, and asks one of them to release it. */
import { useEffect, useState } from 'react';
import type { Holder, PortRequestOutcome, TabPorts } from '../../hardware/tab-ports.ts';

/**
 * Returns the current holders while the component is mounted. Null until a tab has answered or the time for answers
 * is over.
 * @param info Null for a board that no other tab can hold, such as a simulated one.
 */
export function useHolders(tabPorts: () => TabPorts, info: SerialPortInfo | null): readonly Holder[] | null {
  const [holders, setHolders] = useState<readonly Holder[] | null>(info === null ? [] : null);
  useEffect(() => (info === null ? undefined : tabPorts().watchHolders(info, setHolders)), [tabPorts, info]);
  return holders;
}

const answerText = {
  'no-answer': 'The other tab did not answer. Close it, then try again.',
  kept: 'The other tab keeps it. Disconnect it there, then try again.',
} satisfies Record<Exclude<PortRequestOutcome, 'released'>, string>;

export interface Asking {
  readonly title: string;
  /** State of the request, as text. */
  readonly text: string;
  readonly busy: boolean;
  readonly ask: () => Promise<void>;
}

/**
 * Returns null without a holder. Remembers a tab's answer, even if that tab is silent for a time in between.
 * @param onReleased Called after the tab has released the board.
 */
export function useAsking(tabPorts: () => TabPorts, holder: Holder | undefined, onReleased: () => void): Asking | null {
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<{ readonly from: Holder; readonly text: string } | null>(null);
  if (holder === undefined) {
    return null;
  }
  const answered = answer?.from.tab === holder.tab && answer.from.port === holder.port;
  return {
    title: `Another Wirebench tab has a board like this one open, as ${holder.name}`,
    text: answered
      ? answer.text
      : 'A board can be open in one tab at a time. It opens here when the other tab releases it.',
    busy,
    ask: async () => {
      setBusy(true);
      const outcome = await tabPorts().askToRelease(holder);
      setBusy(false);
      if (outcome === 'released') {
        onReleased();
      } else {
        setAnswer({ from: holder, text: answerText[outcome] });
      }
    },
  };
}
