import { staticPages } from '@wirebench/contract/constants';
import { Zap } from 'lucide-react';
import { buttonClass } from '../../shared/ui/button-class.ts';
import styles from '../../shared/ui/message-page.module.css';

/** `/app/esp-flasher`: keeps the place of an app to come, and leads to the flasher that works. */
export function FlasherPlaceholderPage() {
  return (
    <section className={styles['page']}>
      <h1>ESP Flasher App Coming Soon</h1>
      <p>
        Until then, the flasher page does the work: it recognises the board, shows its plan, and proves what it wrote.
      </p>
      <a href={staticPages.espFlasher} className={buttonClass({ variant: 'primary' })}>
        <Zap />
        Open the Espressif flasher
      </a>
    </section>
  );
}
