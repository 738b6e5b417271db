/**
 * Accepts files that are dragged over the page. While it is mounted, a file that is dropped outside the target does
 * not open in the tab and does not replace the page.
 */
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';

export interface FileDrop {
  /**
   * Called synchronously during the drop event, because the browser discards the data afterwards. Null: files are
   * refused.
   */
  readonly take: ((transfer: DataTransfer) => void) | null;
  /** Element that takes files. Undefined: the whole page. */
  readonly within?: RefObject<HTMLElement | null>;
}

/** Events that one target has refused and that another target may still take. */
const refused = new WeakSet<DragEvent>();

/** @returns True: files are dragged over the target. */
export function useFileDrop({ take, within }: FileDrop): boolean {
  const [over, setOver] = useState(false);
  const takes = useEffectEvent(
    ({ target }: DragEvent) =>
      take !== null && (within === undefined || (target instanceof Node && within.current?.contains(target) === true)),
  );
  /** Returns false for events that another target or other listeners have handled. */
  const decide = useEffectEvent((event: DragEvent): boolean => {
    if (event.defaultPrevented && !refused.has(event)) {
      return false;
    }
    const here = takes(event);
    event.preventDefault();
    if (here) {
      refused.delete(event);
    } else {
      refused.add(event);
    }
    return here;
  });
  const onOver = useEffectEvent((event: DragEvent) => {
    const here = decide(event);
    if (event.dataTransfer !== null && (here || refused.has(event))) {
      event.dataTransfer.dropEffect = here ? 'copy' : 'none';
    }
    setOver(here);
  });
  const onDrop = useEffectEvent((event: DragEvent) => {
    const here = decide(event);
    setOver(false);
    if (here && event.dataTransfer !== null) {
      take?.(event.dataTransfer);
    }
  });
  // A move to another element has a `relatedTarget`. A real leave has none.
  const onLeave = useEffectEvent(({ relatedTarget }: DragEvent) => {
    if (relatedTarget === null) {
      setOver(false);
    }
  });
  const isPart = within !== undefined;
  useEffect(() => {
    const ending = new AbortController();
    const listen = (type: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) => {
      const listener = (event: DragEvent) => {
        if (event.dataTransfer?.types.includes('Files') === true) {
          act(event);
        }
      };
      // A part of the page takes its files before the whole page, whichever was mounted first.
      window.addEventListener(type, listener, { signal: ending.signal, capture: isPart });
    };
    listen('dragover', onOver);
    listen('dragleave', onLeave);
    listen('drop', onDrop);
    return () => ending.abort();
  }, [isPart]);
  return over;
}
