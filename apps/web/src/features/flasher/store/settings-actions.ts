/** Changes the settings for writing. Plans and results that the change affects are discarded. */
import type { WriteSettings } from '../state/write-settings.ts';
import { flasherStore } from './flasher-store.ts';
import { outdateResults, planSoon } from './plan-actions.ts';

export function changeSettings(part: Partial<WriteSettings>): void {
  flasherStore().setState(({ settings }) => ({ settings: { ...settings, ...part } }));
  if ('own' in part) {
    planSoon();
  } else if ('baudRate' in part) {
    outdateResults();
  }
}
