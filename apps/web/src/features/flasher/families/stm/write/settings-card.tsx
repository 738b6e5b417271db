/** Fields of the settings for writing to an STM32. They are locked while the board is busy. */
import { useId } from 'react';
import { hasWebSerial } from '../../../../../hardware/serial-support.ts';
import { useFlash, useFlasher } from '../../../store/flasher-store.ts';
import { changeSettings } from '../../../store/settings-actions.ts';
import styles from '../../../write/settings-card.module.css';
import { BaudField, useSettingsLock } from '../../../write/settings-frame.tsx';
import { EntryField } from '../board/entry-field.tsx';

export function StmSettingsCard() {
  const settings = useFlasher((state) => state.settings);
  const used = useFlash(({ board }) => board?.baudRate ?? null);
  const erasing = useId();
  const locked = useSettingsLock();
  const { own, baudRate } = settings;
  if (own.family !== 'stm') {
    return null;
  }
  return (
    <>
      <BaudField />
      {hasWebSerial() ? <EntryField /> : null}
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
      {used === null || used === baudRate ? null : (
        <p className="small">
          The board is connected at {used} baud. {baudRate} applies from the next connection.
        </p>
      )}
      <p className="small">
        Otherwise only sectors that change are erased. Other data in them is read first and written back.
      </p>
    </>
  );
}
