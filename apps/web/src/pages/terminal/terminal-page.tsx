import { PanelSlotsContext } from '../../features/terminal/panels/panel-slots.ts';
import { Terminal } from '../../features/terminal/terminal.tsx';
import { panelSlots, useJkitOfAddress } from './panel-jkits.tsx';

/** `/app/uart`, with `?jkit=…` for a jkit that somebody shares. */
export function TerminalPage() {
  useJkitOfAddress();
  return (
    <PanelSlotsContext value={panelSlots}>
      <Terminal />
    </PanelSlotsContext>
  );
}
