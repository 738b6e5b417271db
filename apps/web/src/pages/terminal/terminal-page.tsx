/** The terminal with the JKit library on its panels: what each of the two features asks of the other. */
import { useLocation } from 'react-router';
import type { PanelJkits } from '../../features/jkits/jkit-panel.ts';
import { LibraryButton } from '../../features/jkits/library-button.tsx';
import { LinkNotice } from '../../features/jkits/link-notice.tsx';
import { LoadedLine } from '../../features/jkits/loaded-line.tsx';
import type { LinkedPanels } from '../../features/jkits/open-linked.ts';
import { useLinkedJkit } from '../../features/jkits/use-linked-jkit.ts';
import { type PanelSlots, PanelSlotsContext } from '../../features/terminal/panels/panel-slots.ts';
import {
  attachJkit,
  forgetJkit,
  jkitContentOf,
  loadJkit,
  placeForJkit,
  refreshJkit,
  setJkitStarred,
  showPanels,
} from '../../features/terminal/panels/store/jkit-actions.ts';
import { Terminal } from '../../features/terminal/terminal.tsx';

const jkits: PanelJkits = {
  contentOf: jkitContentOf,
  load: loadJkit,
  attach: attachJkit,
  refresh: refreshJkit,
  forget: forgetJkit,
  setStarred: setJkitStarred,
};

const linked: LinkedPanels = { type: 'uart', load: loadJkit, placeFor: placeForJkit, show: showPanels };

const panelSlots: PanelSlots = {
  button: (panel) => <LibraryButton panel={panel} jkits={jkits} />,
  line: (panel) => <LoadedLine panel={panel} jkits={jkits} />,
  notice: <LinkNotice panels={linked} />,
};

/** `/app/uart`, with `?jkit=<id>` for a JKit that is shared, or belongs to whoever is signed in. */
export function TerminalPage() {
  useLinkedJkit(useLocation().search, linked);
  return (
    <PanelSlotsContext value={panelSlots}>
      <Terminal />
    </PanelSlotsContext>
  );
}
