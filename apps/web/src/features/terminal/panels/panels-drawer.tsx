import { useRef } from 'react';
import { useDrawerFocus } from '../use-drawer-focus.ts';
import styles from './panels-drawer.module.css';
import { PanelsPane } from './panels-pane.tsx';
import { setPanelsDrawer } from './store/panels-session.ts';

/** The device panels over the log, where there is no room beside it. Escape closes it and gives the focus back. */
export function PanelsDrawer() {
  const drawer = useRef<HTMLDivElement>(null);
  const close = () => setPanelsDrawer(false);
  useDrawerFocus(drawer);
  return (
    <div
      ref={drawer}
      role="dialog"
      aria-label="Device panels"
      tabIndex={-1}
      className={styles['drawer']}
      onKeyDown={(event) => {
        // From a menu or a dialog of the panels, which hang elsewhere in the document, it closes these only.
        if (event.key === 'Escape' && event.target instanceof Node && drawer.current?.contains(event.target)) {
          close();
        }
      }}
    >
      <PanelsPane onClose={close} />
    </div>
  );
}
