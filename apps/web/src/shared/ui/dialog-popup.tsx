/** The part of `Dialog` that needs Base UI: fetched when a dialog first opens. */
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';
import type { DialogProps } from './dialog.tsx';

export interface DialogPopupProps extends DialogProps {
  /** Gets the focus back; null leaves it to Base UI. */
  readonly opener: Element | null;
}

export function DialogPopup(props: DialogPopupProps) {
  const { open, onClose, title, children, footer, size = 'md', initialFocus, opener } = props;
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
              className={classNames(styles['dialog'], styles[size])}
              initialFocus={initialFocus}
              finalFocus={() => (opener instanceof HTMLElement && opener.isConnected ? opener : null)}
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
