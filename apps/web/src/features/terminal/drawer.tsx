/**
 * A drawer that overlays the log in layouts without room beside it. It takes the focus when opened and restores it
 * when closed. Escape closes it while the focus is inside or nowhere. Base UI's Dialog is unsuitable: non-modal, it handles
 * Escape for the whole page, including the message field. It also renders in a portal between guards that catch the
 * Tab key.
 */
import { type ReactNode, useEffect, useRef } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';
import { openerOf } from '../../shared/ui/focus-return.ts';
import styles from './drawer.module.css';

export interface DrawerProps {
  readonly label: string;
  /** Kind of drawer. It determines side and width. */
  readonly place: 'settings' | 'guide' | 'tool';
  /** Key that closes the drawer besides Escape: the key that opened it. */
  readonly closeKey?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Drawer({ label, place, closeKey, onClose, children }: DrawerProps) {
  const drawer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = openerOf(document.activeElement);
    if (drawer.current?.contains(before) === false) {
      drawer.current.focus();
    }
    return () => {
      if (before instanceof HTMLElement) {
        before.focus();
      }
    };
  }, []);
  useEscapeWithoutFocus(onClose);
  return (
    <div
      ref={drawer}
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      className={classNames(styles['drawer'], styles[place])}
      onKeyDown={(event) => {
        // React also reports keys from the drawer's menus and dialogs, which are portals. There, Escape closes only
        // the menu or dialog.
        const inside = event.target instanceof Node && drawer.current?.contains(event.target) === true;
        if (inside && event.key === closeKey) {
          // Otherwise the page's shortcut would reopen the drawer.
          event.stopPropagation();
          onClose();
        } else if (inside && event.key === 'Escape' && !event.defaultPrevented) {
          onClose();
        }
      }}
    >
      {children}
    </div>
  );
}

/**
 * Calls `onEscape` for Escape while no element has the focus. A control of the drawer that is replaced by its own press
 * drops the focus, and the next key may come before another control has received it.
 */
function useEscapeWithoutFocus(onEscape: () => void): void {
  const latest = useRef(onEscape);
  useEffect(() => {
    latest.current = onEscape;
  });
  useEffect(() => {
    const pressed = ({ key, target }: KeyboardEvent) => {
      if (key === 'Escape' && target === document.body) {
        latest.current();
      }
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}
