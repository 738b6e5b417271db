/** Fields of the settings for writing to an RP2040 or RP2350. They are locked while the board is busy. */
import { useId } from 'react';
import { useFlasher } from '../../../store/flasher-store.ts';
import { changeSettings } from '../../../store/settings-actions.ts';
import styles from '../../../write/settings-card.module.css';
import { useSettingsLock } from '../../../write/settings-frame.tsx';

export function RpSettingsCard() {
  const own = useFlasher(({ settings }) => settings.own);
  const erasing = useId();
  const locked = useSettingsLock();
  if (own.family !== 'rp') {
    return null;
  }
  return (
    <>
      <label className={styles['check']} htmlFor={erasing}>
        <input
          id={erasing}
          type="checkbox"
          checked={own.eraseAll}
          disabled={locked}
          onChange={({ currentTarget }) => changeSettings({ own: { ...own, eraseAll: currentTarget.checked } })}
        />
        Erase the whole flash first
      </label>
      <p className="small">
        Otherwise only sectors that change are erased. Other data in them is read first and written back.
      </p>
    </>
  );
}
