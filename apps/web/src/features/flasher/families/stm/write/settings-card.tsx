/** Fields of the settings for writing to an STM32. They are locked while the board is busy. */
import { hasSerialPorts } from '../../../../../hardware/serial-support.ts';
import { useFlash, useFlasher } from '../../../store/flasher-store.ts';
import { BaudField, EraseCheck } from '../../../write/settings-frame.tsx';
import { EntryField } from '../board/entry-field.tsx';

export function StmSettingsCard() {
  const settings = useFlasher((state) => state.settings);
  const used = useFlash(({ board }) => board?.baudRate ?? null);
  const { own, baudRate } = settings;
  if (own.family !== 'stm') {
    return null;
  }
  return (
    <>
      <BaudField />
      {hasSerialPorts() ? <EntryField /> : null}
      <EraseCheck
        aside={
          used === null || used === baudRate ? null : (
            <p className="small">
              The board is connected at {used} baud. {baudRate} applies from the next connection.
            </p>
          )
        }
      />
    </>
  );
}
