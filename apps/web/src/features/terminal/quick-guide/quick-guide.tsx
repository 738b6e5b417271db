import { pagePaths } from '@wirebench/contract/constants';
import { ArrowUpRight, BookOpen, CircleHelp } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import styles from './quick-guide.module.css';
import { toggleQuickGuide, useQuickGuide } from './quick-guide-store.ts';
import { QuickGuideText } from './quick-guide-text.tsx';

export const quickGuideId = 'quick-guide';

/**
 * At the foot of the settings: opens the quick guide, and the whole documentation.
 * @param inline it opens here, below the settings; else it lies beside them, over the log: `quick-guide-drawer.tsx`
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
      {/* In another tab: this one holds ports and lines. */}
      <a className={styles['toggle']} href={pagePaths.uartDocs} target="_blank" rel="noreferrer">
        <BookOpen />
        Documentation <span className="visually-hidden">(opens in a new tab)</span>
        <ArrowUpRight />
      </a>
    </section>
  );
}
