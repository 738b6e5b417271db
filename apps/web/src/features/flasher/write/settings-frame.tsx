/** Parts of the settings that every family has: the lock while the board is busy, and the baud rate. */
import { Field } from '../../../shared/ui/field.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { type FlashState, isBusy } from '../state/flash-state.ts';
import { pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';
import { changeSettings } from '../store/settings-actions.ts';

/** Returns the reason why the settings are locked. */
export function lockText({ phase, work }: Pick<FlashState, 'phase' | 'work'>): string {
  switch (phase) {
    case 'connecting':
      return 'Locked while connecting';
    case 'releasing':
    case 'restarting':
      return 'Locked while the board restarts';
    case 'working':
      return work?.kind === 'erase' ? 'Locked while erasing' : 'Locked while reading';
    default:
      return 'Locked while writing';
  }
}

/** Returns true while the settings are locked. Planning does not lock them, because a change starts a new plan. */
export function useSettingsLock(): boolean {
  const phase = useFlash((flash) => flash.phase);
  return isBusy({ phase }) && phase !== 'planning';
}

/** Field for the rate to flash at, in baud. */
export function BaudField() {
  const locked = useSettingsLock();
  const baudRate = useFlasher(({ settings }) => settings.baudRate);
  return (
    <Field label="Baud">
      {(ids) => (
        <Select
          {...ids}
          mono
          disabled={locked}
          value={baudRate}
          onChange={({ currentTarget }) => changeSettings({ baudRate: Number(currentTarget.value) })}
        >
          {pageFamily().baudRates.map((rate) => (
            <option key={rate} value={rate}>
              {rate}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
