/** The settings of a port as fields. Forms, stores and addresses are made from them. */
import type { LinesAtOpen } from './control-lines.ts';
import type { ChoiceField, NumberField } from './option-fields.ts';
import type { PortSettings } from './port-settings.ts';

interface InAddress {
  /** Parameter of the terminal's address; missing: an address does not set it. */
  readonly parameter?: string;
}

/** Baud rates that a port can be opened with: an unsigned 32-bit integer from 1 (Web Serial, SerialOptions). */
export const baudField = {
  kind: 'number',
  label: 'Baud',
  unit: 'baud',
  least: 1,
  most: 2 ** 32 - 1,
  hint: 'Symbols per second on the wire.',
  parameter: 'baud',
} as const satisfies NumberField & InAddress;

type Choices<Value> = ChoiceField<Value & (string | number)> & InAddress;

/** Fields of everything but the rate, in the order of the form. */
export const portFields = {
  dataBits: bits('Data bits', [7, 8], 'data'),
  stopBits: bits('Stop bits', [1, 2], 'stop'),
  parity: {
    kind: 'choice',
    label: 'Parity',
    name: 'Parity',
    choices: [
      { value: 'none', label: 'None' },
      { value: 'even', label: 'Even' },
      { value: 'odd', label: 'Odd' },
    ],
    parameter: 'parity',
  },
  flowControl: {
    kind: 'choice',
    label: 'Flow',
    name: 'Flow control',
    choices: [
      { value: 'none', label: 'None' },
      { value: 'hardware', label: 'RTS/CTS' },
    ],
  },
  linesAtOpen: {
    kind: 'choice',
    label: 'At open',
    name: 'Control lines at open',
    choices: [
      { value: 'dtr', label: 'DTR on, RTS off' },
      { value: 'off', label: 'Both off' },
      { value: 'keep', label: 'Leave alone' },
    ] satisfies readonly { readonly value: LinesAtOpen; readonly label: string }[],
    hint: 'Control lines when the port opens. Drivers raise DTR first, so an Arduino Uno resets.',
    parameter: 'lines',
  },
} as const satisfies { readonly [Name in Exclude<keyof PortSettings, 'baudRate'>]-?: Choices<PortSettings[Name]> };

function bits<Value extends number>(label: string, values: readonly Value[], parameter: string): Choices<Value> {
  return {
    kind: 'choice',
    label,
    name: label,
    choices: values.map((value) => ({ value, label: String(value) })),
    parameter,
  };
}
