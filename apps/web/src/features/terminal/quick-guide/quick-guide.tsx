import { pagePaths } from '@wirebench/contract/constants';
import { ArrowUpRight, BookOpen, CircleHelp, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { Drawer } from '../drawer.tsx';
import styles from './quick-guide.module.css';
import { toggleQuickGuide, useQuickGuide } from './quick-guide-store.ts';
import { QuickGuideText } from './quick-guide-text.tsx';

const quickGuideId = 'quick-guide';

/**
 * Links to the quick guide and to the documentation, at the bottom of the settings.
 *
 * @param inline True: the guide opens below the settings. False: `QuickGuideDrawer` shows it over the log.
 */
export function QuickGuide({ inline = false }: { readonly inline?: boolean }) {
  const open = useQuickGuide();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (open && inline) {
      section.current?.scrollIntoView?.({ block: 'nearest' });
    }
  }, [open, inline]);
  return (
    <section ref={section} className={styles['guide']}>
      <button
        type="button"
        className={styles['toggle']}
        aria-expanded={open}
        aria-controls={open ? quickGuideId : undefined}
        aria-keyshortcuts="?"
        onClick={toggleQuickGuide}
      >
        <CircleHelp />
        Quick guide
        <Kbd>?</Kbd>
      </button>
      {open && inline ? <QuickGuideText id={quickGuideId} /> : null}
      {/* Opens in a new tab, because leaving this page closes the ports and loses the log. */}
      <a className={styles['toggle']} href={pagePaths.uartDocs} target="_blank" rel="noreferrer">
        <BookOpen />
        Documentation <span className="visually-hidden">(opens in a new tab)</span>
        <ArrowUpRight />
      </a>
    </section>
  );
}

/** The quick guide in a drawer over the log, beside the settings. */
export function QuickGuideDrawer() {
  return (
    <Drawer label="Quick guide" place="guide" closeKey="?" onClose={toggleQuickGuide}>
      <h2 className={styles['head']}>
        Quick guide
        <IconButton label="Close the quick guide" variant="quiet" size="sm" icon={<X />} onClick={toggleQuickGuide} />
      </h2>
      <QuickGuideText id={quickGuideId} />
    </Drawer>
  );
}
