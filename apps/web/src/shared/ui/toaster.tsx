import { X } from 'lucide-react';
import { createPortal } from 'react-dom';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { LevelIcon } from './level-icon.tsx';
import { closeToast, type ToastMessage, useToasts } from './toast.ts';
import styles from './toaster.module.css';

/**
 * Renders the toasts; mounted once, in the app's frame. Both live regions exist before their text, so that screen
 * readers announce it.
 */
export function Toaster() {
  const { current } = useToasts();
  const urgent = current?.level === 'error';
  return createPortal(
    <div id="toasts" className={styles['place']}>
      <div role="status">{current !== null && !urgent ? <Toast key={current.id} message={current} /> : null}</div>
      <div role="alert">{current !== null && urgent ? <Toast key={current.id} message={current} /> : null}</div>
    </div>,
    document.body,
  );
}

/** The line is the timer: its animation lasts as long as the message, and pauses under the pointer and the focus. */
function Toast({ message }: { readonly message: ToastMessage }) {
  const { id, text, level, action, detail, stays } = message;
  return (
    <div className={classNames(styles['toast'], styles[level], action !== null && styles['offers'])}>
      <LevelIcon level={level} />
      <div className={styles['text']}>
        <b>{text}</b>
        {detail === null ? null : <span className={styles['detail']}>{detail}</span>}
      </div>
      {action === null ? null : (
        <button
          type="button"
          className="link"
          onClick={() => {
            closeToast(id);
            action.onAction();
          }}
        >
          {action.label}
        </button>
      )}
      <Button variant="quiet" size="sm" aria-label="Close" icon={<X />} onClick={() => closeToast(id)} />
      {stays ? null : (
        <span className={styles['line']} data-testid="toast-line" onAnimationEnd={() => closeToast(id)} />
      )}
    </div>
  );
}
