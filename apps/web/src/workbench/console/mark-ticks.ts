/** Ticks of marked lines beside the scroll bar of a log. They tell places by position, in any colours. */
import { MARK_PLACES } from '../../protocol/bench/rule-part.ts';
import { getBench } from '../bench.ts';
import { benchStatus } from '../bench-status.ts';
import styles from './mark-ticks.module.css';

/** Shortest time between two requests, in milliseconds. */
const interval = 500;

/**
 * Keeps ticks in `place` until `signal` aborts. Nothing is requested without rules.
 *
 * @param place Element over the log, with its height.
 */
export function addMarkTicks(place: HTMLElement, signal: AbortSignal): void {
  let revision = benchStatus.tick.ruleRevision === 0 ? 0 : -1;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const pull = async () => {
    revision = benchStatus.tick.ruleRevision;
    try {
      const { places } = await getBench().call('markTicks');
      if (!signal.aborted) {
        show(place, places);
      }
    } finally {
      timer = null;
      next();
    }
  };
  const next = () => {
    if (timer === null && !signal.aborted && benchStatus.tick.ruleRevision !== revision) {
      timer = setTimeout(() => void pull(), interval);
    }
  };
  const end = benchStatus.onTick(next);
  signal.addEventListener('abort', () => {
    end();
    if (timer !== null) {
      clearTimeout(timer);
    }
  });
  next();
}

function show(place: HTMLElement, places: readonly number[]): void {
  while (place.childElementCount > places.length) {
    place.lastElementChild?.remove();
  }
  while (place.childElementCount < places.length) {
    const tick = document.createElement('i');
    tick.className = styles['tick'] ?? '';
    place.append(tick);
  }
  for (const [index, tick] of [...place.children].entries()) {
    (tick as HTMLElement).style.setProperty('top', `${(((places[index] ?? 0) / MARK_PLACES) * 100).toFixed(2)}%`);
  }
}
