import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router';
import { hasServer } from '../../shared/edition.ts';
import { useSession } from '../../shared/session/use-session.ts';
import { buttonClass } from '../../shared/ui/button-class.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import styles from './card.module.css';
import { cardPath, cardText } from './cards.ts';
import type { CardSelection } from './use-card-selection.ts';

const COLUMNS = 11;
const ROWS = 6;

/** Cells of an I2C scan that answered, by column and row. */
const answering = new Set(['3,2', '8,3', '5,5']);

const cells = Array.from({ length: COLUMNS * ROWS }, (_, index) => {
  const column = index % COLUMNS;
  const row = Math.floor(index / COLUMNS);
  return { x: 6 + column * 10, y: 4 + row * 11, answers: answering.has(`${column},${row}`) };
});

/** The hardware apps: one that exists, and placeholders for future ones. */
export function AppCards({ selection }: { readonly selection: CardSelection }) {
  const { name, short } = cardText.esp32;
  const { user } = useSession();
  return (
    <ul className={classNames(styles['cards'], hasServer ? styles['apps'] : styles['one'])} aria-label="Apps">
      <li
        className={classNames(
          'card',
          styles['card'],
          styles['app'],
          selection.selected === 'esp32' && styles['selected'],
        )}
        onPointerEnter={() => selection.select('esp32')}
      >
        <div className={styles['preview']} aria-hidden="true">
          <HardwarePreview />
        </div>
        <div>
          <h3>
            <Link to={cardPath.esp32} {...selection.control('esp32')} className={styles['control']}>
              {name}
            </Link>
          </h3>
          <p>{short}</p>
        </div>
        <span className={classNames(buttonClass(), styles['open'])} aria-hidden="true">
          Open
          <ArrowRight />
        </span>
      </li>
      {hasServer ? (
        <li className={classNames('card', styles['card'], styles['disabled'])} aria-disabled="true">
          <b>More Coming Soon</b>
          <span>{user === null ? 'Sign in and use Feedback' : 'Use Feedback'} to tell us what is missing.</span>
        </li>
      ) : null}
    </ul>
  );
}

/** Drawing of an I2C scan. Each cell is an address, and three of them answer. */
function HardwarePreview() {
  return (
    <svg viewBox="0 0 120 72" className={styles['scan']} aria-hidden="true">
      {cells.map(({ x, y, answers }) => (
        <rect
          key={`${x},${y}`}
          x={x}
          y={y}
          width="8"
          height="8"
          rx="1"
          className={answers ? styles['answers'] : styles['silent']}
        />
      ))}
    </svg>
  );
}
