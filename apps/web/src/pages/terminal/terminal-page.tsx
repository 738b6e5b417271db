/** Page of the terminal, with the JKit library on its panels. */
import { useLocation } from 'react-router';
import { useLinkedJkit } from '../../features/jkits/use-linked-jkit.ts';
import { InFlasherStrips } from '../../features/terminal/in-flasher.tsx';
import { PanelSlotsContext } from '../../features/terminal/panels/panel-slots-context.ts';
import { Terminal } from '../../features/terminal/terminal.tsx';
import { noSlots, TerminalSlotsContext } from '../../features/terminal/terminal-slots.ts';
import { AddressStrip } from '../../features/terminal/tools/address-strip.tsx';
import { getBench } from '../../workbench/bench.ts';
import { DecoderLibrary, linkedPanels, panelSlots } from './page-panel-slots.tsx';

const slots = {
  ...noSlots,
  dock: (
    <>
      <AddressStrip />
      <InFlasherStrips />
    </>
  ),
  decoderLibrary: DecoderLibrary,
};

/** Page `/app/uart`. `?jkit=<id>` loads a JKit that is shared or belongs to the signed-in user. */
export function TerminalPage() {
  useLinkedJkit(useLocation().search, linkedPanels);
  return (
    <TerminalSlotsContext value={slots}>
      <PanelSlotsContext value={panelSlots}>
        <Terminal />
      </PanelSlotsContext>
    </TerminalSlotsContext>
  );
}

/** Returns the page, and starts the bench's worker beside its first drawing. */
export function startTerminalPage() {
  getBench();
  return TerminalPage;
}
