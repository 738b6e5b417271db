/** Which control lines of the adapter lead to reset and BOOT0. */
import { Field } from '../../../shared/ui/field.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { useFlasher } from '../../../workbench/flasher/store/flasher-store.ts';
import { changeSettings } from '../../../workbench/flasher/store/settings-actions.ts';
import { entryNames, entryText } from './entry-text.ts';

export function EntryField() {
  const own = useFlasher(({ settings }) => settings.own);
  if (own.family !== 'stm') {
    return null;
  }
  return (
    <Field
      label="Starting the bootloader"
      hint={own.entry === 'manual' ? undefined : 'If DTR and RTS are not wired, as on a Nucleo, choose By hand.'}
    >
      {(ids) => (
        <Select
          {...ids}
          value={own.entry}
          onChange={({ currentTarget }) =>
            changeSettings({
              own: { ...own, entry: entryNames.find((name) => name === currentTarget.value) ?? 'usual' },
            })
          }
        >
          {entryNames.map((name) => (
            <option key={name} value={name}>
              {entryText[name]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
