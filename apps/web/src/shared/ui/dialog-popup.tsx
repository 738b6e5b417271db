/** The part of `Dialog` that needs Base UI. Loaded when a dialog first opens. */
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';
import { useEscapeAt } from './escape-at.ts';
import { focusIsElsewhere } from './focus-return.ts';

export interface DialogProps {
  readonly open: boolean;
  /** Called by Escape, by a click outside and by the close button. */
  readonly onClose: () => void;
  /** States the action: "Make weather-node private?". */
  readonly title: ReactNode;
  readonly children: ReactNode;
  /** Buttons, the safe one first. Undefined: the dialog has a close button in its head. */
  readonly footer?: ReactNode;
  /** Maximum width: 400, 560 or 880 px. */
  readonly size?: 'sm' | 'md' | 'lg' | undefined;
  /** Element that receives the focus first. Undefined: the first control. */
  readonly initialFocus?: RefObject<HTMLElement | null> | undefined;
}

export interface DialogPopupProps extends DialogProps {
  /**
   * The opener and its ancestors, nearest first. On closing, the first one that still exists receives the focus, or a
   * focusable element in it. A dialog that deletes something may remove its own opener.
   */
  readonly places: readonly HTMLElement[];
}

export function DialogPopup(props: DialogPopupProps) {
  const { open, onClose, title, children, footer, size = 'md', initialFocus, places } = props;
  const popup = useRef<HTMLDivElement>(null);
  // A dialog that is unmounted with its parent closes without Base UI's focus handling.
  useEffect(() => (open ? () => queueMicrotask(() => rescueFocus(places)) : undefined), [open, places]);
  useEscapeAt(() => places[0] ?? null, open, onClose);
  return (
    <CSPProvider disableStyleElements>
      <Dialog.Root
        open={open}
        onOpenChange={(next) => {
          if (!next) {
            onClose();
          }
        }}
      >
        <Dialog.Portal>
          <Dialog.Backdrop className={styles['scrim']} />
          <Dialog.Viewport className={styles['viewport']}>
            <Dialog.Popup
              ref={popup}
              className={classNames(styles['dialog'], styles[size])}
              initialFocus={initialFocus}
              finalFocus={() => (focusIsElsewhere(popup.current) ? false : focusOf(places))}
            >
              <div className={styles['head']}>
                <Dialog.Title className={styles['title']}>{title}</Dialog.Title>
                {footer ? null : (
                  <Dialog.Close render={<Button variant="quiet" size="sm" aria-label="Close" icon={<X />} />} />
                )}
              </div>
              <div className={styles['body']}>{children}</div>
              {footer ? <div className={styles['foot']}>{footer}</div> : null}
            </Dialog.Popup>
          </Dialog.Viewport>
        </Dialog.Portal>
      </Dialog.Root>
    </CSPProvider>
  );
}

/** Focuses the best remaining place if no element has the focus. */
function rescueFocus(places: readonly HTMLElement[]): void {
  if (document.activeElement === document.body) {
    focusOf(places)?.focus();
  }
}

/** Returns the element that receives the focus. Null: Base UI decides. */
function focusOf(places: readonly HTMLElement[]): HTMLElement | null {
  const [opener] = places;
  // In another layout the same control is a different element.
  const same = opener === undefined || opener.id === '' ? null : document.getElementById(opener.id);
  const place = same ?? places.find(({ isConnected }) => isConnected);
  return place === undefined || place === same || place === opener
    ? (place ?? null)
    : place.querySelector<HTMLElement>('a[href], button:enabled, input:enabled, select:enabled, textarea:enabled');
}
