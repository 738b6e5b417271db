import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import styles from './link-notice.module.css';
import { dismissLink, useLink } from './link-store.ts';
import type { LinkedPanels } from './open-linked.ts';

/** Notice about the JKit that the page's address names: loading, or the reason for a failure with a retry button. */
export function LinkNotice({ panels }: { readonly panels: LinkedPanels }) {
  const { id, busy, failure } = useLink(panels.type);
  if (id === null || (failure === null && !busy)) {
    return null;
  }
  if (failure === null) {
    return (
      <p role="status" className={styles['waiting']}>
        Loading the JKit of this link…
      </p>
    );
  }
  const again = async () => {
    const { openLinked } = await import('./open-linked.ts');
    await openLinked(id, panels);
  };
  return (
    <div className={styles['notice']}>
      <Notice
        level="error"
        title={failure}
        action={
          <span className="buttons tight">
            <Button size="sm" onClick={() => void again()}>
              Try again
            </Button>
            <Button size="sm" variant="quiet" onClick={() => dismissLink(panels.type)}>
              Dismiss
            </Button>
          </span>
        }
      >
        The address of this page refers to a shared JKit.
      </Notice>
    </div>
  );
}
