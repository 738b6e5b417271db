/**
 * Files that are dragged over the page. While this is used, a file that is released beside its place neither opens in the tab nor
 * takes away what the page holds. Knows nothing of what the files are for.
 */
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';

export interface FileDrop {
  /** Called within the drop's event: afterwards the browser has forgotten what was dropped. Null while files are refused. */
  readonly take: ((transfer: DataTransfer) => void) | null;
  /** The element that takes files; without it, the whole page does. */
  readonly within?: RefObject<HTMLElement | null>;
}

/** Events that one of several places has refused, and that another one may still take. */
const refused = new WeakSet<DragEvent>();

/** @returns whether files are held over the place that takes them */
export function useFileDrop({ take, within }: FileDrop): boolean {
  const [over, setOver] = useState(false);
  const takes = useEffectEvent(
    ({ target }: DragEvent) =>
      take !== null && (within === undefined || (target instanceof Node && within.current?.contains(target) === true)),
  );
  /** False for what another place has taken, here or by listeners of its own. */
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
  // From one element to the next is no leaving: only that has nowhere to go.
  const onLeave = useEffectEvent(({ relatedTarget }: DragEvent) => {
    if (relatedTarget === null) {
      setOver(false);
    }
  });
  useEffect(() => {
    const ending = new AbortController();
    const listen = (type: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) => {
      const listener = (event: DragEvent) => {
        if (event.dataTransfer?.types.includes('Files') === true) {
          act(event);
        }
      };
      window.addEventListener(type, listener, { signal: ending.signal });
    };
    listen('dragover', onOver);
    listen('dragleave', onLeave);
    listen('drop', onDrop);
    return () => ending.abort();
  }, []);
  return over;
}
