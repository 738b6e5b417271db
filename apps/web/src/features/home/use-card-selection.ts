import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type CardId, cardOrder } from './cards.ts';

/** Target of each key from the card at `at`. Left and right wrap around. */
const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at, last) => (at === last ? 0 : at + 1),
  ArrowLeft: (at, last) => (at === 0 ? last : at - 1),
  Home: () => 0,
  End: (_at, last) => last,
};

/** Returns the card that `key` leads to; null for any other key. */
function cardAfter(current: CardId, key: string): CardId | null {
  const step = steps[key];
  return step === undefined ? null : (cardOrder[step(cardOrder.indexOf(current), cardOrder.length - 1)] ?? null);
}

export interface CardSelection {
  readonly selected: CardId;
  readonly select: (card: CardId) => void;
  /** Props for each card's link or button. */
  readonly control: (card: CardId) => {
    readonly ref: (element: HTMLElement | null) => void;
    readonly onFocus: () => void;
  };
}

/**
 * Selects the card that last got the pointer or the focus. The arrow keys move the focus from card to card, and Enter
 * opens the selected card. Both work if no element has the focus, but not while a control outside the cards has it.
 */
export function useCardSelection(): CardSelection {
  const [selected, select] = useState<CardId>('uart');
  const controls = useRef(new Map<CardId, HTMLElement>());

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const modified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    const focused = document.activeElement;
    const fromCard = [...controls.current.values()].some((control) => control === focused);
    if (modified || event.defaultPrevented || !(fromCard || restsOnPage(focused))) {
      return;
    }
    if (event.key === 'Enter') {
      const control = controls.current.get(selected);
      // The browser opens a focused control itself.
      if (!event.repeat && control !== undefined && control !== focused) {
        event.preventDefault();
        control.focus();
        control.click();
      }
      return;
    }
    const horizontal = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    const next = horizontal || fromCard ? cardAfter(selected, event.key) : null;
    if (next !== null) {
      event.preventDefault();
      // The first arrow key focuses the card that is already selected.
      controls.current.get(fromCard ? next : selected)?.focus();
    }
  });
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  return {
    selected,
    select,
    control: (card) => ({
      ref: (element) => {
        if (element === null) {
          controls.current.delete(card);
        } else {
          controls.current.set(card, element);
        }
      },
      onFocus: () => select(card),
    }),
  };
}

/** Returns true if no element has the focus, or only the page's main part. */
function restsOnPage(focused: Element | null): boolean {
  return focused === null || focused === document.body || focused.id === 'main';
}
