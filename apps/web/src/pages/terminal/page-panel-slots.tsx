/** Connects the JKit library with the terminal's panels: adapters between the interfaces of the two features. */
import type { PanelJkits } from '../../features/jkits/jkit-panel.ts';
import { LibraryButton, LibraryStart } from '../../features/jkits/library-button.tsx';
import { LinkNotice } from '../../features/jkits/link-notice.tsx';
import { LoadedLine } from '../../features/jkits/loaded-line.tsx';
import type { LinkedPanels } from '../../features/jkits/open-linked.ts';
import type { PanelSlots } from '../../features/terminal/panels/panel-slots-context.ts';
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
import { loadedPlace } from '../../shared/ui/loaded-dialog.tsx';

const jkits: PanelJkits = {
  contentOf: jkitContentOf,
  load: loadJkit,
  attach: attachJkit,
  refresh: refreshJkit,
  forget: forgetJkit,
  setStarred: setJkitStarred,
};

export const linkedPanels: LinkedPanels = {
  type: 'uart',
  load: loadJkit,
  placeFor: placeForJkit,
  show: showPanels,
  others: async () => [(await import('./decoder-library.tsx')).linkedDecoders],
};

const loadDecoderLibrary = async () => (await import('./decoder-library.tsx')).DecoderLibrary;

/** The JKit library for the tool of decoders. Its code is loaded with the tool. */
export const DecoderLibrary = loadedPlace(() => true, loadDecoderLibrary);

export const panelSlots: PanelSlots = {
  button: (panel) => <LibraryButton panel={panel} jkits={jkits} />,
  line: (panel) => <LoadedLine panel={panel} jkits={jkits} />,
  library: LibraryStart,
  notice: <LinkNotice panels={linkedPanels} />,
};
