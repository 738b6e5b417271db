import { pagePaths } from '@wirebench/contract/constants';
import { ArrowUpRight, BookOpen, X } from 'lucide-react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Drawer } from '../drawer.tsx';
import styles from './quick-guide.module.css';
import { toggleQuickGuide } from './quick-guide-store.ts';
import { QuickGuideText } from './quick-guide-text.tsx';

/** The quick guide in a drawer over the log, with a link to the documentation. */
export function QuickGuideDrawer() {
  return (
    <Drawer label="Quick guide" place="guide" closeKey="?" onClose={toggleQuickGuide}>
      <h2 className={styles['head']}>
        Quick guide
        <IconButton label="Close the quick guide" variant="quiet" size="sm" icon={<X />} onClick={toggleQuickGuide} />
      </h2>
      <QuickGuideText />
      {/* Opens in a new tab, because leaving this page closes the ports and loses the log. */}
      <a className={styles['documentation']} href={pagePaths.uartDocs} target="_blank" rel="noreferrer">
        <BookOpen />
        Documentation <span className="visually-hidden">(opens in a new tab)</span>
        <ArrowUpRight />
      </a>
    </Drawer>
  );
}
