/** Opens the panels while the dock is folded: the last word of the toolbar, where the dock has their tab. */
import { Pin } from 'lucide-react';
import { use } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { useSharing } from '../../../workbench/sharing/sharing-store.ts';
import toolbarStyles from '../console/toolbar.module.css';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { panelsButtonId } from '../tools/dock-ids.ts';
import { useOpenTool } from '../tools/open-tool.ts';
import { showPanels } from './store/jkit-actions.ts';
import { firstPanel } from './store/panel-actions.ts';
import { panelsNow } from './store/panels-store.ts';

/** Opens the panels, with one if there are none. Without commands, the focus goes to the field that adds one. */
function openPanels(): void {
  firstPanel();
  showPanels();
  if (panelsNow().panels.every(({ pinnedMessages }) => pinnedMessages.length === 0)) {
    void focusField();
  }
}

/** Focuses the field of the first panel once the code of the panels is loaded and they are drawn. */
async function focusField(): Promise<void> {
  // The dock says that a load has failed.
  await import('./panels-pane.tsx').catch(() => undefined);
  requestAnimationFrame(() =>
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-control="add"]')?.focus()),
  );
}

export function PanelsButton() {
  const { isReadOnly } = use(TerminalSlotsContext);
  // The dialog is docked in the place of the dock.
  const isSharing = useSharing(({ dialog }) => dialog !== null);
  const isShown = useOpenTool() !== null && !isSharing;
  if (isShown || isReadOnly) {
    return null;
  }
  return (
    <>
      <span className={toolbarStyles['line']} />
      <Button id={panelsButtonId} size="sm" variant="quiet" icon={<Pin />} aria-label="Panels" onClick={openPanels}>
        <span className={toolbarStyles['word']}>Panels</span>
      </Button>
    </>
  );
}
