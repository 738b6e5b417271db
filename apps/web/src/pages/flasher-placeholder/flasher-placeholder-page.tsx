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
        Until then, use the flasher page: it identifies the board, shows what it will write, and verifies what it wrote.
      </p>
      <a href={staticPages.espFlasher} className={buttonClass({ variant: 'primary' })}>
        <Zap />
        Open the Espressif flasher
      </a>
    </section>
  );
}
