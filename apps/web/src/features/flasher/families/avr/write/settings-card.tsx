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
  const own = useFlasher(({ settings }) => settings.own);
  const hasEeprom = useFlash(({ board }) => (board?.family === 'avr' ? board.info.hasEeprom : true));
  const [eeprom, erasing] = [useId(), useId()];
  const locked = useSettingsLock();
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
        Automatic tries 115200 and 57600 baud. Baud and reset apply from the next connection.
      </p>
    </>
  );
}

/** Field for the rate of the bootloader. Each bootloader has only one. */
function RateField() {
  const own = useFlasher(({ settings }) => settings.own);
  const locked = useSettingsLock();
  if (own.family !== 'avr') {
    return null;
  }
  return (
    <Field label="Baud">
      {(ids) => (
        <Select
          {...ids}
          mono
          disabled={locked}
          value={own.rate ?? ''}
          onChange={({ currentTarget: { value } }) =>
            changeSettings({ own: { ...own, rate: value === '' ? null : Number(value) } })
          }
        >
          <option value="">Automatic</option>
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
