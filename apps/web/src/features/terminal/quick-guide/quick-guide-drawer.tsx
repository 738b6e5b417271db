import { X } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useDrawerFocus } from '../use-drawer-focus.ts';
import styles from './quick-guide.module.css';
import { quickGuideId } from './quick-guide.tsx';
import { toggleQuickGuide } from './quick-guide-store.ts';
import { QuickGuideText } from './quick-guide-text.tsx';

/** The quick guide over the log, beside the settings. Escape closes it and gives the focus back. */
export function QuickGuideDrawer() {
  const drawer = useRef<HTMLDivElement>(null);
  useDrawerFocus(drawer);
  return (
    <div
      ref={drawer}
      role="dialog"
      aria-label="Quick guide"
      tabIndex={-1}
      className={styles['drawer']}
      onKeyDown={(event) => {
        if (event.key === 'Escape' || event.key === '?') {
          event.stopPropagation();
          toggleQuickGuide();
        }
      }}
    >
      <h2 className={styles['head']}>
        Quick guide
        <IconButton label="Close the quick guide" variant="quiet" size="sm" icon={<X />} onClick={toggleQuickGuide} />
      </h2>
      <QuickGuideText id={quickGuideId} />
    </div>
  );
}
