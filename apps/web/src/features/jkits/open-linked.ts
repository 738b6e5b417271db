/** Loads the jkit that an address names into a panel where it takes nothing away. Fetched when there is such an address. */
import type { Jkit } from '@wirebench/contract';
import { sessionStore } from '../../shared/session/page-session.ts';
import { fetchJkit } from './calls/one-jkit.ts';
import { learnNameOf } from './calls/own-name.ts';
import { failedActText, LoadRefused } from './failed-act.ts';
import type { PanelJkits } from './jkit-panel.ts';
import { linkStore, setLink } from './link-store.ts';
import { loadJkit } from './load-jkit.ts';
import { jkitLink } from './model/jkit-link.ts';

export interface LinkedPanels extends Pick<PanelJkits, 'load'> {
  /** The jkits that they hold. */
  readonly type: Jkit['type'];
  /** Null when every panel holds something else and there is no room for one more. */
  readonly placeFor: (
    jkitId: string,
  ) => { readonly id: string; readonly name: string; readonly loaded: boolean } | null;
  /** Brings the panels onto the screen. */
  readonly show: () => void;
}

/** Never rejects: what goes wrong is kept in the store, to be read and tried again. */
export async function openLinked(id: string, panels: LinkedPanels): Promise<void> {
  setLink(panels.type, { id, busy: true, failure: null });
  let failure: string | null = null;
  try {
    const user = sessionStore.current()?.user.name ?? null;
    const [jkit] = await Promise.all([fetchJkit(id), user === null ? null : learnNameOf(user)]);
    if (jkit.type !== panels.type) {
      const what = jkit.type === 'chip' ? 'describes a chip' : 'has messages for the terminal';
      throw new LoadRefused(`${jkit.name} ${what}. Its link is ${jkitLink(jkit)}`);
    }
    const place = panels.placeFor(id);
    if (place?.loaded !== true) {
      // Without a place the panels' own words say what is missing.
      loadJkit(place ?? { id: '', name: '' }, panels, jkit, false);
    }
  } catch (error) {
    failure = failedActText('load', error);
  }
  if (linkStore.getState()[panels.type].id === id) {
    setLink(panels.type, { busy: false, failure });
    panels.show();
  }
}
