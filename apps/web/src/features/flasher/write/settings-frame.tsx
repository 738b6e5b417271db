/** Parts of the settings that several families have: the lock while the board is busy, the baud rate, and the erase. */
import { type ReactNode, useId } from 'react';
import { Field } from '../../../shared/ui/field.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { type FlashState, isBusy } from '../state/flash-state.ts';
import { pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';
import { changeSettings } from '../store/settings-actions.ts';
import styles from './settings-card.module.css';

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

/** Checkbox for an erase of all flash, for families that otherwise erase single sectors, and what happens without it. */
export function EraseCheck({ aside }: { readonly aside?: ReactNode }) {
  const own = useFlasher(({ settings }) => settings.own);
  const erasing = useId();
  const locked = useSettingsLock();
  const rule = pageFamily().erasing;
  return rule === undefined ? null : (
    <>
      <label className={styles['check']} htmlFor={erasing}>
        <input
          id={erasing}
          type="checkbox"
          checked={rule.isAll(own)}
          disabled={locked}
          onChange={({ currentTarget }) => changeSettings({ own: rule.choose(own, currentTarget.checked) })}
        />
        Erase the whole flash first
      </label>
      {aside}
      <p className="small">
        Otherwise only sectors that change are erased. Other data in them is read first and written back.
      </p>
    </>
  );
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
