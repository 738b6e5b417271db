/** Fields of the settings for writing to a Nordic board. They are locked while the board is busy. */
import { Field } from '../../../../../shared/ui/field.tsx';
import { Select } from '../../../../../shared/ui/select.tsx';
import { useFlash, useFlasher } from '../../../store/flasher-store.ts';
import { changeSettings } from '../../../store/settings-actions.ts';
import { BaudField, useSettingsLock } from '../../../write/settings-frame.tsx';

export function SettingsCard() {
  const own = useFlasher(({ settings }) => settings.own);
  const info = useFlash(({ board }) => (board?.family === 'nrf' ? board.info : null));
  const locked = useSettingsLock();
  if (own.family !== 'nrf') {
    return null;
  }
  return (
    <>
      <BaudField />
      <p className="small">
        The rate that the bootloader was built for: 115200 on most boards. It does not matter on the chip’s own USB.
      </p>
      {info === null || info.canTest ? (
        <Field label="New image">
          {(ids) => (
            <Select
              {...ids}
              disabled={locked}
              value={own.activate}
              onChange={({ currentTarget }) =>
                changeSettings({ own: { ...own, activate: currentTarget.value === 'test' ? 'test' : 'confirm' } })
              }
            >
              <option value="confirm">Permanent</option>
              <option value="test">Test: reverted unless it confirms itself</option>
            </Select>
          )}
        </Field>
      ) : null}
      {info === null || info.canTest ? (
        <p className="small">
          For MCUboot with two slots. An image under test that does not confirm itself is reverted at the next restart.
        </p>
      ) : null}
    </>
  );
}
