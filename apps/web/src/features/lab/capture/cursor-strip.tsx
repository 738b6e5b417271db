/** Strip below the lanes: both cursors, the time between them, and its frequency. It never covers the lanes. */
import { classNames } from '../../../shared/ui/class-names.ts';
import { type Captured, type CursorName, captureNow, changeCapture, placeCursor, useCapture } from './capture-store.ts';
import styles from './capture-view.module.css';
import { timeOf } from './lanes.tsx';
import { frequencyText, timeText } from './time-axis.ts';

export function CursorStrip({ captured }: { readonly captured: Captured }) {
  const { a, b } = useCapture((state) => state.cursors);
  const between = a === null || b === null ? null : b - a;
  return (
    <div className={styles['strip']}>
      <CursorButton name="a" captured={captured} at={a} />
      <CursorButton name="b" captured={captured} at={b} />
      <output className={styles['between']} aria-label="From cursor A to cursor B">
        {between === null ? (
          <span className={styles['hint']}>Click the lanes to place a cursor</span>
        ) : (
          <>
            B − A <b>{timeText(between, captured.samplePeriod)}</b>
            {between === 0 ? null : <b>{frequencyText(Math.abs(between))}</b>}
          </>
        )}
      </output>
    </div>
  );
}

interface CursorButtonProps {
  readonly name: CursorName;
  readonly captured: Captured;
  readonly at: number | null;
}

/** Selects a cursor for the next click on the lanes. A cursor out of view is moved into view. */
function CursorButton({ name, captured, at }: CursorButtonProps) {
  const placing = useCapture((state) => state.placing === name);
  const press = () => {
    const { from, to } = captureNow().span;
    if (at === null || at < from || at > to) {
      placeCursor(name, from + (to - from) * (name === 'a' ? 1 / 3 : 2 / 3));
    }
    changeCapture({ placing: name });
  };
  const letter = name.toUpperCase();
  return (
    <button
      type="button"
      className={classNames(styles['pick'], placing && styles['placing'])}
      aria-pressed={placing}
      onClick={press}
    >
      <span className="visually-hidden">
        {at === null ? `Place cursor ${letter}` : `Cursor ${letter} at ${timeOf(captured, at)}`}
      </span>
      <span className={styles['letter']} aria-hidden="true">
        {letter}
      </span>
      <span aria-hidden="true">{at === null ? '–' : timeOf(captured, at)}</span>
    </button>
  );
}
