/** Fields of the settings for writing to a board with an AVR. They are locked while the board is busy. */
import { useId } from 'react';
import { Field } from '../../../../../shared/ui/field.tsx';
import { Select } from '../../../../../shared/ui/select.tsx';
import { pageFamily, useFlash, useFlasher } from '../../../store/flasher-store.ts';
import { changeSettings } from '../../../store/settings-actions.ts';
import styles from '../../../write/settings-card.module.css';
import { useSettingsLock } from '../../../write/settings-frame.tsx';
import { ResetField } from '../board/reset-field.tsx';

export function AvrSettingsCard() {
  const settings = useFlasher((state) => state.settings);
  const hasEeprom = useFlash(({ board }) => (board?.family === 'avr' ? board.info.hasEeprom : true));
  const [eeprom, erasing] = [useId(), useId()];
  const locked = useSettingsLock();
  const { own } = settings;
  if (own.family !== 'avr') {
    return null;
  }
  return (
    <>
      <RateField />
      <ResetField />
      <label className={styles['check']} htmlFor={eeprom}>
        <input
          id={eeprom}
          type="checkbox"
          checked={own.writesEeprom}
          disabled={locked || !hasEeprom}
          onChange={({ currentTarget }) => changeSettings({ own: { ...own, writesEeprom: currentTarget.checked } })}
        />
        Write EEPROM data of the files
      </label>
      <label className={styles['check']} htmlFor={erasing}>
        <input
          id={erasing}
          type="checkbox"
          checked={own.eraseAll}
          disabled={locked}
          onChange={({ currentTarget }) => changeSettings({ own: { ...own, eraseAll: currentTarget.checked } })}
        />
        Erase all flash but the bootloader first
      </label>
      <p className="small">
        {hasEeprom ? '' : 'The bootloader of this board cannot write EEPROM. '}
        Otherwise only pages that change are erased. Rate and reset apply from the next connection.
      </p>
    </>
  );
}

/** Field for the rate of the bootloader, which every bootloader has only one of. */
function RateField() {
  const settings = useFlasher((state) => state.settings);
  const locked = useSettingsLock();
  const { own, baudRate } = settings;
  if (own.family !== 'avr') {
    return null;
  }
  const choose = (value: string) =>
    changeSettings(
      value === ''
        ? { baudRate: pageFamily().baudRate, own: { ...own, findsRate: true } }
        : { baudRate: Number(value), own: { ...own, findsRate: false } },
    );
  return (
    <Field label="Baud">
      {(ids) => (
        <Select
          {...ids}
          mono
          disabled={locked}
          value={own.findsRate ? '' : baudRate}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value="">Automatic: 115200, then 57600</option>
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
