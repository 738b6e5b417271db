/**
 * The panels of this page. Reads them from the browser's storage, writes every change, and applies writes of other
 * tabs. A panel loses its target when its port disconnects, and gets it back when the same board returns.
 */

import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { BenchTick } from '../../../../protocol/bench/bench-tick.ts';
import { pageStore } from '../../../../shared/page-store.ts';
import { browserStorage } from '../../../../shared/storage/browser-storage.ts';
import { savingOf } from '../../../../shared/storage/saving.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { type PortStates, portStates } from '../../open-ports-of.ts';
import { type DevicePanel, noTarget, onePort } from '../model/device-panel.ts';
import { clearTargets, type Panels } from '../model/panels.ts';
import { PanelSlots } from './panel-slots.ts';

const slots = new PanelSlots(browserStorage);

const panelsStore = pageStore<{ readonly panels: Panels }>({ panels: slots.load() });

export const { getState: panelsNow, setState: changePanels, subscribe: onPanelsChange } = panelsStore;

export function usePanels<Part>(select: (panels: Panels) => Part): Part {
  return panelsStore.use(({ panels }) => select(panels));
}

/** True while a write of another tab is applied. It is not written back. */
let following = false;

const saving = savingOf({ what: 'The panels', room: 'Delete commands' });

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

/**
 * Detects ports that were connected and no longer are. A port that is closed and reopened at once with other settings
 * is not lost. A port that a guest of the shared bench uses is not lost either.
 */
export class LostPorts {
  readonly #connected = new Set<PortNumber>();

  /**
   * Compares the states with those of the last call.
   *
   * @param states Newest states.
   * @param users Guest that uses each port, or null.
   * @returns The ports lost since the last call.
   */
  take(states: PortStates, users: BenchTick['users']): ReadonlySet<PortNumber> {
    const lost = new Set<PortNumber>();
    for (const port of portNumbers) {
      const state = states[port];
      if (state === 'connected') {
        this.#connected.add(port);
      } else if (users[port] === null && (state === 'disconnected' || state === 'reconnecting')) {
        if (this.#connected.delete(port)) {
          lost.add(port);
        }
      }
    }
    return lost;
  }
}

const lostPorts = new LostPorts();

interface LostTarget {
  readonly port: PortNumber;
  readonly board: string;
}

type Boards = Pick<BenchTick, 'status' | 'devices'>;

/**
 * Gives panels without a target the port that they mean: the port to which the same board returns, else the only
 * connected port. Works when ports connect, so that a choice of no target lasts until then.
 */
export class ReturningTargets {
  /** Board of each port that was connected last, as text. */
  readonly #boards = new Map<PortNumber, string>();
  readonly #connected = new Set<PortNumber>();
  /** Lost targets by panel id. */
  readonly #lost = new Map<DevicePanel['id'], LostTarget>();

  /** Remembers the targets of panels that lose them because their port disconnects. */
  lose(panels: Panels): void {
    for (const panel of panels) {
      const port = onePort(panel);
      const board = port === null ? undefined : this.#boards.get(port);
      if (port !== null && board !== undefined) {
        this.#lost.set(panel.id, { port, board });
      }
    }
  }

  /**
   * Compares the ports with those of the last call.
   *
   * @returns The panels with their new targets. The same object if no port has connected since, or no panel changes.
   */
  take(tick: Boards, states: PortStates, panels: Panels): Panels {
    const connected = portNumbers.filter((port) => states[port] === 'connected');
    const fresh = connected.filter((port) => !this.#connected.has(port));
    this.#connected.clear();
    for (const port of connected) {
      this.#connected.add(port);
      this.#boards.set(port, boardOf(tick, port));
    }
    if (fresh.length === 0) {
      return panels;
    }
    const changed = panels.map((panel) => this.#aimed(panel, fresh, connected));
    return changed.some((panel, index) => panel !== panels[index]) ? changed : panels;
  }

  #aimed(panel: DevicePanel, fresh: readonly PortNumber[], connected: readonly PortNumber[]): DevicePanel {
    if (panel.pinnedTargetPort !== noTarget) {
      this.#lost.delete(panel.id);
      return panel;
    }
    const lost = this.#lost.get(panel.id);
    const returned = lost !== undefined && fresh.includes(lost.port) && this.#boards.get(lost.port) === lost.board;
    const [only] = connected;
    const target = returned ? lost.port : connected.length === 1 ? only : undefined;
    if (target === undefined) {
      return panel;
    }
    this.#lost.delete(panel.id);
    return { ...panel, pinnedTargetPort: target, targetChosen: returned && panel.targetChosen };
  }
}

/** Identity of a board as far as the browser tells it: its kind and USB ids. */
function boardOf({ status, devices }: Boards, port: PortNumber): string {
  return JSON.stringify([devices[port]?.kind ?? null, status.ports[port].info]);
}
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
      const names = cleared
        .filter((panel) => panel.pinnedTargetPort === port && isMissed(panel))
        .map(({ name }) => name);
      if (names.length > 0) {
        void getBench().call('notice', 'info', clearedText(names, port), port);
      }
    }
  }
});

/** Returns true if the person will miss the panel's target: it can send or answer, or the target was chosen. */
const isMissed = ({ pinnedMessages, rules, targetChosen }: DevicePanel) =>
  pinnedMessages.length > 0 || rules.length > 0 || targetChosen;

function clearedText(names: readonly DevicePanel['name'][], port: number): string {
  const verb = names.length === 1 ? 'has' : 'have';
  return `${new Intl.ListFormat('en-GB').format(names)} no longer ${verb} a target: Port ${port} disconnected.`;
}
