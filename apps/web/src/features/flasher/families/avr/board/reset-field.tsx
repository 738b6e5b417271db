/** Field for the way in which the board is reset into its bootloader. */
import { Field } from '../../../../../shared/ui/field.tsx';
import { Select } from '../../../../../shared/ui/select.tsx';
import { useFlasher } from '../../../store/flasher-store.ts';
import { changeSettings } from '../../../store/settings-actions.ts';

export function ResetField() {
  const own = useFlasher(({ settings }) => settings.own);
  if (own.family !== 'avr') {
    return null;
  }
  return (
    <Field label="Starting the bootloader">
      {(ids) => (
        <Select
          {...ids}
          value={own.reset}
          onChange={({ currentTarget }) =>
            changeSettings({ own: { ...own, reset: currentTarget.value === 'hand' ? 'hand' : 'lines' } })
          }
        >
          <option value="lines">Automatic</option>
          <option value="hand">By hand</option>
        </Select>
      )}
    </Field>
  );
}
