/**
 * Function keys that send the pinned messages of the selected port's panel. F5, F6, F7, F11 and F12 stay with the
 * browser.
 */
import { numbersOf } from '@wirebench/runs';
import { useEffect } from 'react';
import { toast } from '../../../shared/ui/toast.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { portStates } from '../open-ports-of.ts';
import { terminalSessionNow, useTerminalSession } from '../terminal-session.ts';
import { aimsAt, type DevicePanel, onePort } from './model/device-panel.ts';
import type { Panels } from './model/panels.ts';
import { openTarget } from './run/prepare-run.ts';
import { sendMessage } from './run/runs.ts';
import { showPanels } from './store/jkit-actions.ts';
import { setCollapsed } from './store/panel-actions.ts';
import { panelsNow, usePanels } from './store/panels-store.ts';

/** Keys in the order of a panel's messages, as `KeyboardEvent.key` names them. */
export const functionKeys: readonly string[] = ['F1', 'F2', 'F3', 'F4', 'F8', 'F9', 'F10'];

/** Returns the first panel that sends to `port`. */
function panelOfPort(panels: Panels, port: number): DevicePanel | undefined {
  return panels.find((panel) => onePort(panel) === port) ?? panels.find((panel) => aimsAt(panel, port));
}

/** Returns true if the function keys send messages of this panel. */
export function useHasFunctionKeys(panelId: string): boolean {
  const port = useTerminalSession((session) => session.selectedPort);
  return usePanels((panels) => panelOfPort(panels, port)?.id === panelId);
}

/** Elements in which function keys are not the terminal's: dialogs, menus, and a screen that sends them to the board. */
const others = '[role="dialog"], [role="alertdialog"], [role="menu"], .xterm';

/** Sends pinned messages by function keys while the component is mounted. */
export function useFunctionKeys(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { target, key } = event;
      const isOther = target instanceof Element && target.closest(others) !== null;
      if (event.defaultPrevented || isOther || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) {
        return;
      }
      const index = functionKeys.indexOf(key);
      const panel = panelOfPort(panelsNow().panels, terminalSessionNow().selectedPort);
      const message = panel?.pinnedMessages[index];
      if (panel === undefined || message === undefined) {
        return;
      }
      event.preventDefault();
      if (event.repeat) {
        return;
      }
      // The panel may be folded, and with it the place that shows a refusal.
      const opened = openTarget(panel, portStates(benchStatus.tick));
      if (!opened.ok) {
        toast(opened.reason, { level: 'warning' });
        return;
      }
      if (numbersOf(message) !== null) {
        setCollapsed(panel.id, false);
        showPanels();
      }
      void sendMessage(panel.id, message.id);
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
}
