/**
 * Loads the JKit that an address names into a panel without overwriting anything. Loaded on demand, if there is such
 * an address.
 */
import type { Jkit } from '@wirebench/contract';
import { sessionStore } from '../../shared/session/page-session.ts';
import { fetchJkit } from './calls/one-jkit.ts';
import { learnNameOf } from './calls/own-name.ts';
import { failedActText, LoadRefused } from './failed-act.ts';
import type { PanelJkits } from './jkit-panel.ts';
import { isLinked, setLink } from './link-store.ts';
import { loadJkit } from './load-jkit.ts';
import { jkitLink } from './model/jkit-link.ts';

export interface LinkedPanels extends Pick<PanelJkits, 'load'> {
  /** Type of JKits that the panels hold. */
  readonly type: Jkit['type'];
  /** Returns a panel for the JKit. Null: all panels contain something else, and no panel can be added. */
  readonly placeFor: (
    jkitId: string,
  ) => { readonly id: string; readonly name: string; readonly loaded: boolean } | null;
  /** Makes the panels visible. */
  readonly show: (jkitId: string) => void;
  /** Returns the places of the same page for JKits of other types. */
  readonly others?: () => Promise<readonly LinkedPanels[]>;
}

const contentTexts = {
  uart: 'has messages for the terminal',
  chip: 'describes a chip',
  decoder: 'is a decoder of frames',
} satisfies Record<Jkit['type'], string>;

/** Loads the JKit. Never rejects: a failure is kept in the store, for display and retry. */
export async function openLinked(id: string, panels: LinkedPanels): Promise<void> {
  setLink(panels.type, { id, busy: true, failure: null });
  let failure: string | null = null;
  let target = panels;
  try {
    const user = sessionStore.current()?.user.name ?? null;
    const [jkit] = await Promise.all([fetchJkit(id), user === null ? null : learnNameOf(user)]);
    const fitting = [panels, ...((await panels.others?.()) ?? [])].find(({ type }) => type === jkit.type);
    if (fitting === undefined) {
      throw new LoadRefused(`${jkit.name} ${contentTexts[jkit.type]}. Its link is ${jkitLink(jkit)}`);
    }
    const place = fitting.placeFor(id);
    if (place?.loaded !== true) {
      // Without a place, `load` fails with the panels' own reason.
      loadJkit(place ?? { id: '', name: '' }, fitting, jkit, false);
    }
    target = fitting;
  } catch (error) {
    failure = failedActText('load', error);
  }
  if (isLinked(panels.type, id)) {
    setLink(panels.type, { busy: false, failure });
    target.show(id);
  }
}
