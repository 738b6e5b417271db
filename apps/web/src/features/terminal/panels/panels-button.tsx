/** Device panels until one exists: a button in the toolbar, with two ways to begin. */
import { FileUp, Pin, Plus } from 'lucide-react';
import { use, useRef, useState } from 'react';
import { hasServer } from '../../../shared/edition.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Popover } from '../../../shared/ui/popover.tsx';
import toolbarStyles from '../console/toolbar.module.css';
import { useTerminalSettings } from '../settings/settings-store.ts';
import { panelsButtonId } from '../strip/port-strip.tsx';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { importJkit } from './jkit-files.ts';
import type { DevicePanel } from './model/device-panel.ts';
import { PanelSlotsContext } from './panel-slots-context.ts';
import styles from './panels-button.module.css';
import { showPanels } from './store/jkit-actions.ts';
import { addDevicePanel } from './store/panel-actions.ts';
import { panelsNow, usePanels } from './store/panels-store.ts';

/**
 * Returns true if a panel exists that a person began: shown by choice, filled, or one of several. The empty panel of
 * a first visit does not count, and neither does one that only keeps rules.
 */
export function useHasPanels(): boolean {
  const isShown = useTerminalSettings(({ panelsShown }) => panelsShown === true);
  const isBegun = usePanels(
    (panels) =>
      panels.length > 1 ||
      panels.some(({ pinnedMessages, loadedJkit }) => pinnedMessages.length > 0 || loadedJkit !== null),
  );
  return isShown || isBegun;
}

/** Shows the panels with an empty one, and returns it. */
function begin(): DevicePanel | undefined {
  if (panelsNow().panels.length === 0) {
    addDevicePanel();
  }
  showPanels();
  return panelsNow().panels[0];
}

/** Focuses the field of the panel once its code is loaded and it is drawn: the popover returns the focus in the first frame. */
async function focusField(): Promise<void> {
  // The place of the panels says that a load has failed.
  await import('./panels-pane.tsx').catch(() => undefined);
  requestAnimationFrame(() =>
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-control="add"]')?.focus()),
  );
}

export function PanelsButton() {
  const { isReadOnly } = use(TerminalSlotsContext);
  const { library: Library } = use(PanelSlotsContext);
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const hasPanels = useHasPanels();
  if (hasPanels || isReadOnly) {
    return null;
  }
  return (
    <>
      <span className={toolbarStyles['line']} />
      <Button
        ref={anchor}
        id={panelsButtonId}
        size="sm"
        variant="quiet"
        icon={<Pin />}
        aria-label="Panels"
        title="Commands you send often"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <span className={toolbarStyles['word']}>Panels</span>
      </Button>
      <Popover
        open={open}
        onClose={() => setOpen(false)}
        anchor={anchor}
        side="bottom"
        isNarrow
        title="Commands you send often"
      >
        <div className={styles['begin']}>
          <p>Keep commands on the right of the log, and send them with one click or with F1 to F10.</p>
          <div className={styles['ways']}>
            <Button
              size="sm"
              icon={<Plus />}
              onClick={() => {
                begin();
                void focusField();
              }}
            >
              New panel
            </Button>
            {hasServer && Library !== null ? (
              <Library panelId={() => begin()?.id ?? ''} />
            ) : (
              <Button size="sm" icon={<FileUp />} onClick={() => file.current?.click()}>
                From a file…
              </Button>
            )}
          </div>
          <input
            ref={file}
            type="file"
            hidden
            accept=".json,application/json"
            aria-label="JKit file for a new panel"
            onChange={({ currentTarget }) => {
              const chosen = currentTarget.files?.[0];
              const panel = chosen && begin();
              if (chosen !== undefined && panel !== undefined) {
                void importJkit(panel, chosen);
              }
            }}
          />
        </div>
      </Popover>
    </>
  );
}
