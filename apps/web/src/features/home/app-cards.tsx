import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router';
import { buttonClass } from '../../shared/ui/button-class.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import styles from './card.module.css';
import { cardPath, cardText } from './cards.ts';
import { HardwarePreview } from './hardware-preview.tsx';
import type { CardSelection } from './use-card-selection.ts';

/** The hardware apps: one that is there, and the place of those to come. */
export function AppCards({ selection }: { readonly selection: CardSelection }) {
  const { name, short } = cardText.esp32;
  return (
    <ul className={classNames(styles['cards'], styles['apps'])} aria-label="Apps">
      <li
        className={classNames(styles['card'], styles['app'], selection.selected === 'esp32' && styles['selected'])}
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
      <li className={classNames(styles['card'], styles['disabled'])} aria-disabled="true">
        <b>More Coming Soon</b>
        <span>Sign in and use Feedback to tell us what is missing.</span>
      </li>
    </ul>
  );
}
