/** Panel with the board, a legend of its symbols, and the selected pin. */
import { Lock, MoveRight, TriangleAlert } from 'lucide-react';
import { count } from '../../../shared/format/numbers.ts';
import panel from '../panel.module.css';
import { useLab } from '../store/lab-store.ts';
import { BoardView } from './board-view.tsx';
import { boards } from './boards.ts';
import { PinStrip } from './pin-strip.tsx';
import styles from './pins-panel.module.css';

export function PinsPanel() {
  const board = useLab((state) => state.board);
  const used = useLab(({ tick }) => tick.owned.length);
  const reads = useLab(({ tick }) => tick.levelReads);
  const program = useLab(({ tick }) => tick.program !== null);
  if (board === null) {
    return null;
  }
  const locked = board.pins.filter(({ rule }) => rule === 'locked').length;
  return (
    <section className={styles['pins']} aria-label="Pins">
      <div className={panel['head']}>
        <h2>Pins</h2>
        <span className={panel['facts']}>
          {used} in use · {locked} locked
        </span>
        <span className={`row tight ${panel['facts']} ${panel['end']}`}>
          {program ? `${count(reads)} reports/s` : `${count(reads)} reads/s`}
        </span>
      </div>
      <div className={styles['scroll']}>
        <BoardView board={board} />
        <p className={styles['drawn']}>Drawn as {boards[board.chip].name}: chips do not name their board.</p>
        <Legend />
      </div>
      <PinStrip />
    </section>
  );
}

function Legend() {
  return (
    <div className={styles['legend']}>
      <span>
        <i className={styles['high']} />
        high
      </span>
      <span>
        <i />
        low
      </span>
      <span>
        <i className={styles['unread']} />
        off
      </span>
      <span>
        <MoveRight />
        direction
      </span>
      <span className={styles['warn']}>
        <TriangleAlert />
        note
      </span>
      <span>
        <Lock />
        locked
      </span>
    </div>
  );
}
