/**
 * The panels of this page. Reads them from the browser's storage, writes every change, and applies writes of other
 * tabs. A panel loses its target when its port disconnects, and gets it back when the same board returns.
 */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { browserStorage } from '../../../../shared/storage/browser-storage.ts';
import { savingOf } from '../../../../shared/storage/saving.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { portStates } from '../../open-ports-of.ts';
import type { DevicePanel } from '../model/device-panel.ts';
import { clearTargets, type Panels } from '../model/panels.ts';
import { LostPorts } from './lost-ports.ts';
import { PanelSlots } from './panel-slots.ts';
import { ReturningTargets } from './returning-targets.ts';

const slots = new PanelSlots(browserStorage);

const panelsStore = createStore<{ readonly panels: Panels }>(() => ({ panels: slots.load() }));

export const { getState: panelsNow, setState: changePanels, subscribe: onPanelsChange } = panelsStore;

export function usePanels<Part>(select: (panels: Panels) => Part): Part {
  return useStore(panelsStore, ({ panels }) => select(panels));
}

/** True while a write of another tab is applied. It is not written back. */
let following = false;

const saving = savingOf({ what: 'The device panels', room: 'Delete messages' });

panelsStore.subscribe(({ panels }) => {
  if (!following) {
    saving(() => slots.save(panels));
  }
});

window.addEventListener('storage', ({ key }) => {
  following = true;
  try {
    const { panels } = panelsStore.getState();
    const after = slots.follow(key, panels);
    if (after !== panels) {
      panelsStore.setState({ panels: after });
    }
  } finally {
    following = false;
  }
});

const lostPorts = new LostPorts();
const returningTargets = new ReturningTargets();

benchStatus.onTick((tick) => {
  const states = portStates(tick);
  const before = panelsStore.getState().panels;
  const aimed = returningTargets.take(tick, states, before);
  if (aimed !== before) {
    panelsStore.setState({ panels: aimed });
  }
  const lost = lostPorts.take(states, tick.users);
  if (lost.size === 0) {
    return;
  }
  const { panels, cleared } = clearTargets(aimed, lost);
  if (cleared.length > 0) {
    returningTargets.lose(cleared);
    panelsStore.setState({ panels });
    for (const port of lost) {
      const names = cleared.filter(({ pinnedTargetPort }) => pinnedTargetPort === port).map(({ name }) => name);
      if (names.length > 0) {
        void getBench().call('notice', 'info', clearedText(names, port), port);
      }
    }
  }
});

function clearedText(names: readonly DevicePanel['name'][], port: number): string {
  const verb = names.length === 1 ? 'has' : 'have';
  return `${new Intl.ListFormat('en-GB').format(names)} no longer ${verb} a target: Port ${port} disconnected.`;
}
