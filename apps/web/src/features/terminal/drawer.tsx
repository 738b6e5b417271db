/**
 * What lies over the log where there is no room beside it. It takes the focus when it opens and gives it back when it closes;
 * Escape closes it while the focus is in it. This is not Base UI's Dialog: without being modal, that one takes Escape from the
 * whole page, where it also leaves the message field, and it is in a portal, between guards that catch the Tab key.
 */
import { type ReactNode, useEffect, useRef } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';
import styles from './drawer.module.css';

export interface DrawerProps {
  readonly label: string;
  /** Which it is: each has its side and its width. */
  readonly place: 'settings' | 'guide' | 'panels';
  /** Closes it as Escape does: the key that opened it. */
  readonly closeKey?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Drawer({ label, place, closeKey, onClose, children }: DrawerProps) {
  const drawer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    drawer.current?.focus();
    return () => {
      if (before instanceof HTMLElement) {
        before.focus();
      }
    };
  }, []);
  return (
    <div
      ref={drawer}
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      className={classNames(styles['drawer'], styles[place])}
      onKeyDown={(event) => {
        // From a menu or a dialog of its own, which is elsewhere in the document, Escape closes that one only.
        const inside = event.target instanceof Node && drawer.current?.contains(event.target) === true;
        if (inside && event.key === closeKey) {
          // Where it opens the drawer, it would open it again.
          event.stopPropagation();
          onClose();
        } else if (inside && event.key === 'Escape') {
          onClose();
        }
      }}
    >
      {children}
    </div>
  );
}
