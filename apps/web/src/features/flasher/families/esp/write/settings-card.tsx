/** Fields of the settings for writing to an Espressif board. They are locked while the board is busy. */
import type { EspEraseChoice, EspPlanSettings } from '@wirebench/flasher/esp';
import { useId } from 'react';
import type { EspSettings } from '../../../../../protocol/esp-types.ts';
import { memoryText } from '../../../../../shared/format/bytes.ts';
import { Field } from '../../../../../shared/ui/field.tsx';
import { Select } from '../../../../../shared/ui/select.tsx';
import { useFlash, useFlasher } from '../../../store/flasher-store.ts';
import { changeSettings } from '../../../store/settings-actions.ts';
import styles from '../../../write/settings-card.module.css';
import { BaudField, useSettingsLock } from '../../../write/settings-frame.tsx';
import { detectChoice, frequencyChoices, keepChoice, modeChoices, sizeChoices } from './flash-choices.ts';

const eraseText = {
  none: 'Only what is written',
  needed: 'As needed',
  all: 'Whole flash',
} satisfies Record<EspEraseChoice, string>;

const asNumber = <Word extends string>(text: string, ...words: readonly Word[]): number | Word =>
  words.find((word) => word === text) ?? Number(text);

export function SettingsCard() {
  const own = useFlasher(({ settings }) => settings.own);
  const locked = useSettingsLock();
  const erasing = useId();
  const encrypting = useId();
  const encrypts = useFlash(({ board }) => board?.family === 'esp' && board.encrypts === true);
  if (own.family !== 'esp') {
    return null;
  }
  const change = (part: Partial<EspSettings>) => changeSettings({ own: { ...own, ...part } });
  const changeFlash = (part: Partial<EspPlanSettings>) => change({ flash: { ...own.flash, ...part } });
  return (
    <>
      <Field label="Mode">
        {(ids) => (
          <Select
            {...ids}
            mono
            disabled={locked}
            value={own.flash.mode}
            onChange={({ currentTarget }) =>
              changeFlash({ mode: modeChoices.find((mode) => mode === currentTarget.value) ?? 'keep' })
            }
          >
            <option value="keep">{keepChoice}</option>
            {modeChoices.map((mode) => (
              <option key={mode} value={mode}>
                {mode.toUpperCase()}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Frequency">
        {(ids) => (
          <Select
            {...ids}
            mono
            disabled={locked}
            value={own.flash.frequency}
            onChange={({ currentTarget }) => changeFlash({ frequency: asNumber(currentTarget.value, 'keep') })}
          >
            <option value="keep">{keepChoice}</option>
            {frequencyChoices.map((frequency) => (
              <option key={frequency} value={frequency}>
                {frequency} MHz
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Size">
        {(ids) => (
          <Select
            {...ids}
            mono
            disabled={locked}
            value={own.flash.size}
            onChange={({ currentTarget }) => changeFlash({ size: asNumber(currentTarget.value, 'keep', 'detect') })}
          >
            <option value="keep">{keepChoice}</option>
            <option value="detect">{detectChoice}</option>
            {sizeChoices.map((size) => (
              <option key={size} value={size}>
                {memoryText(size)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <BaudField />
      <Field label="Erase">
        {(ids) => (
          <Select
            {...ids}
            disabled={locked}
            value={own.erase}
            onChange={({ currentTarget }) =>
              change({
                erase: (['none', 'needed', 'all'] as const).find((one) => one === currentTarget.value) ?? 'needed',
              })
            }
          >
            {(['none', 'needed', 'all'] as const).map((choice) => (
              <option key={choice} value={choice}>
                {eraseText[choice]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <label className={styles['check']} htmlFor={erasing}>
        <input
          id={erasing}
          type="checkbox"
          checked={own.keepNvs}
          disabled={locked}
          onChange={({ currentTarget }) => change({ keepNvs: currentTarget.checked })}
        />
        Keep the settings stored on the board (NVS)
      </label>
      {encrypts ? (
        <label className={styles['check']} htmlFor={encrypting}>
          <input
            id={encrypting}
            type="checkbox"
            checked={own.encrypt === true}
            disabled={locked}
            onChange={({ currentTarget }) => change({ encrypt: currentTarget.checked })}
          />
          Encrypt on the board: programs and encrypted partitions, which it cannot verify
        </label>
      ) : null}
      <BaudHint />
    </>
  );
}

/** Explains that a newly chosen baud rate applies from the next connection. */
function BaudHint() {
  const wanted = useFlasher(({ settings }) => settings.baudRate);
  const board = useFlash((flash) => flash.board);
  const phase = useFlash((flash) => flash.phase);
  const used = board?.baudRate;
  if (
    used === undefined ||
    used === wanted ||
    board?.family !== 'esp' ||
    board.info.link !== 'uart' ||
    (phase !== 'detected' && phase !== 'planned')
  ) {
    return null;
  }
  return (
    <p className="small">
      {board.name} is connected at {used} baud. {wanted} applies from the next connection.
    </p>
  );
}
