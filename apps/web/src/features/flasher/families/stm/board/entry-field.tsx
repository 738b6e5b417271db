/** Field for the wiring of the adapter's control lines to reset and BOOT0. */
import type { StmEntryName } from '@wirebench/flasher/stm';
import { Field } from '../../../../../shared/ui/field.tsx';
import { Select } from '../../../../../shared/ui/select.tsx';
import { useFlasher } from '../../../store/flasher-store.ts';
import { changeSettings } from '../../../store/settings-actions.ts';

/** Names of the ways into the bootloader. The usual way comes first. */
const entryText = {
  usual: 'DTR to reset, RTS to BOOT0',
  swapped: 'RTS to reset, DTR to BOOT0',
  direct: 'DTR to reset, RTS to BOOT0, BOOT0 inverted',
  'direct-swapped': 'RTS to reset, DTR to BOOT0, BOOT0 inverted',
  inverted: 'DTR to reset, RTS to BOOT0, both inverted',
  'inverted-swapped': 'RTS to reset, DTR to BOOT0, both inverted',
  manual: 'By hand: BOOT0 and the reset button',
} satisfies Record<StmEntryName, string>;

const entryNames = Object.keys(entryText) as StmEntryName[];

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
