import { type ConsoleSettings, consoleBaudRates, lineEndings } from '@wirebench/contract';
import { Field } from '../../../shared/ui/field.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { useOwnJkits } from '../calls/own-jkits.ts';
import { useUser } from '../use-user.ts';
import { CheckRow } from './check-row.tsx';
import styles from './console-fields.module.css';

export interface ConsoleFieldsProps {
  /** Null: the monitor keeps its own settings. */
  readonly console: ConsoleSettings | null;
  readonly onChange: (console: ConsoleSettings | null) => void;
}

const usual: ConsoleSettings = { baudRate: 115_200, lineEnding: 'lf', jkitId: null };

/** Suggestions. Any other rate can be typed. */
const rates = [9_600, 19_200, 38_400, 57_600, 74_880, 115_200, 230_400, 460_800, 921_600];

const endingText = {
  lf: 'LF, line feed',
  crlf: 'CRLF, both',
  cr: 'CR, carriage return',
  none: 'None',
} satisfies Record<ConsoleSettings['lineEnding'], string>;

/** Returns the fault of the settings; null for valid ones. */
export function consoleFault(console: ConsoleSettings | null): string | null {
  const { minimum, maximum } = consoleBaudRates;
  const good = console === null || (console.baudRate >= minimum && console.baudRate <= maximum);
  return good ? null : `Baud rate must be a whole number from ${minimum} to ${maximum}`;
}

export function ConsoleFields({ console, onChange }: ConsoleFieldsProps) {
  return (
    <div className={styles['fields']}>
      <CheckRow
        label="Set up the terminal after a flash"
        checked={console !== null}
        onChange={(checked) => onChange(checked ? usual : null)}
      />
      {console === null ? null : <Settings console={console} onChange={onChange} />}
    </div>
  );
}

function Settings({ console, onChange }: ConsoleFieldsProps & { readonly console: ConsoleSettings }) {
  const jkits = useOwnJkits(useUser()).data ?? [];
  const { baudRate, lineEnding, jkitId } = console;
  const known = jkitId === null || jkits.some(({ _id }) => _id === jkitId);
  return (
    <>
      <Field label="Baud rate" error={consoleFault(console)}>
        {(ids) => (
          <>
            <TextInput
              {...ids}
              mono
              inputMode="numeric"
              autoComplete="off"
              list={`${ids.id}-rates`}
              value={baudRate === 0 ? '' : baudRate}
              onChange={(event) => {
                const digits = event.currentTarget.value.replaceAll(/\D/g, '').slice(0, 8);
                onChange({ ...console, baudRate: Number(digits) });
              }}
            />
            <datalist id={`${ids.id}-rates`}>
              {rates.map((rate) => (
                <option key={rate} value={rate} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Field label="Line ending">
        {(ids) => (
          <Select
            {...ids}
            value={lineEnding}
            onChange={(event) => {
              const chosen = lineEndings.find((ending) => ending === event.currentTarget.value) ?? 'lf';
              onChange({ ...console, lineEnding: chosen });
            }}
          >
            {lineEndings.map((ending) => (
              <option key={ending} value={ending}>
                {endingText[ending]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="JKit"
        hint="Its messages and rules are beside the monitor. Other people can open it only while it is shared."
      >
        {(ids) => (
          <Select
            {...ids}
            value={jkitId ?? ''}
            onChange={(event) => onChange({ ...console, jkitId: event.currentTarget.value || null })}
          >
            <option value="">None</option>
            {known ? null : <option value={jkitId}>Another JKit, or a deleted one</option>}
            {jkits.map(({ _id, name, shared }) => (
              <option key={_id} value={_id}>
                {shared ? name : `${name} (not shared)`}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </>
  );
}
