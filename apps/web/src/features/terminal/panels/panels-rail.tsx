import { PanelRightOpen } from 'lucide-react';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { panelsButtonId } from '../strip/port-strip.tsx';
import { noTarget } from './model/device-panel.ts';
import styles from './panels-rail.module.css';
import { usePanels } from './store/panels-store.ts';

/** Slim column in the place of the device panels: opens them, and shows the number of messages in each. */
export function PanelsRail({ onOpen }: { readonly onOpen: () => void }) {
  const panels = usePanels((all) => all);
  const filled = panels.filter(({ pinnedMessages }) => pinnedMessages.length > 0);
  return (
    <button type="button" id={panelsButtonId} className={`ring-inside ${styles['rail']}`} onClick={onOpen}>
      <PanelRightOpen />
      <span className={styles['words']}>Panels</span>
      {filled.map(({ id, pinnedTargetPort, pinnedMessages }) => (
        <span key={id} className={styles['mark']} aria-hidden="true">
          {pinnedTargetPort === noTarget ? <span className={styles['none']} /> : <PortFlag port={pinnedTargetPort} />}
          {pinnedMessages.length}
        </span>
      ))}
    </button>
  );
}
