/**
 * Settings of a write, as data: one row for each that a person can choose, with the field of a form, what a tag says of
 * it, and the option of the shell. Forms, tags, flags and their help are made from them.
 */
import type { FamilyId } from '@wirebench/boards';
import type { ChoiceField, SwitchField } from '@wirebench/port/option-fields';
import type { AvrSettings } from './avr/family-types.ts';
import { sizeText } from './core/bytes.ts';
import type { EspSettings } from './esp/family-types.ts';
import type { NrfSettings } from './nrf/family-types.ts';
import type { RpSettings } from './rp/family-types.ts';
import type { StmSettings } from './stm/family-types.ts';

export type AnySettings = AvrSettings | EspSettings | NrfSettings | RpSettings | StmSettings;
export type SettingValue = string | number | boolean | null;

/** Option of the shell for a setting. */
export interface SettingFlag {
  /** Flags in the notation of commander: `--entry <wiring>`. A switch has one for each value, or only for one. */
  readonly flags: string;
  readonly text: string;
  readonly completes?: readonly string[];
  /** Reads its text; undefined for no value. Missing: it is one of the choices. */
  readonly read?: (text: string) => SettingValue | undefined;
  /** Values as its refusal names them: `a size as in 4MB`. Missing: the choices. */
  readonly takes?: string;
}

export interface WriteSetting<Settings = AnySettings> {
  readonly field: ChoiceField | SwitchField;
  get(settings: Settings): SettingValue;
  /** Returns settings with this value. They are those of the family of the row. */
  put(settings: Settings, value: SettingValue): Settings;
  /** Options of the shell; without any, it has none, or one that several families share. */
  readonly flags: readonly SettingFlag[];
  /** True: it is about the way into the bootloader, so that every command on a board takes it. */
  readonly isForConnect?: true;
}

type Place<Settings> = Pick<WriteSetting<Settings>, 'get' | 'put'>;

const at = <Settings>(name: keyof Settings): Place<Settings> => ({
  get: (settings) => (settings[name] ?? false) as SettingValue,
  put: (settings, value) => ({ ...settings, [name]: value }),
});

/** A value for the header of the bootloader. */
const inHeader = (name: keyof EspSettings['flash']): Place<EspSettings> => ({
  get: ({ flash }) => flash[name],
  put: (settings, value) => ({ ...settings, flash: { ...settings.flash, [name]: value } }),
});

const choice = <Value extends string | number>(label: string, choices: ChoiceField<Value>['choices'], hint?: string) =>
  ({ kind: 'choice', label, name: label, choices, ...(hint !== undefined && { hint }) }) as const;

/** Leaves the value of the build. */
const keep = { value: 'keep', label: 'Keep' } as const;
const sizes = [1, 2, 4, 8, 16].map((megabytes) => megabytes * 2 ** 20);

/** Reads `detect`, or a size as in `4MB`, in bytes. */
function readSize(text: string): SettingValue | undefined {
  const [, number, unit] = /^(\d+)([KM])B?$/i.exec(text) ?? [];
  if (text === 'detect') {
    return text;
  }
  return number === undefined ? undefined : Number(number) * (unit?.toUpperCase() === 'K' ? 1_024 : 1_024 ** 2);
}

function readMegahertz(text: string): SettingValue | undefined {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= 1_000 ? number : undefined;
}

const espFields = {
  keepNvs: {
    ...at<EspSettings>('keepNvs'),
    field: { kind: 'switch', label: 'Keep the settings stored on the board (NVS)' },
    flags: [
      { flags: '--keep-nvs', text: 'Espressif: keep the stored settings with --erase-all too' },
      { flags: '--no-keep-nvs', text: 'Espressif: let files replace the stored settings' },
    ],
  },
  encrypt: {
    ...at<EspSettings>('encrypt'),
    field: {
      kind: 'switch',
      label: 'Encrypt on the board: programs and encrypted partitions, which it cannot verify',
    },
    flags: [
      {
        flags: '--encrypt',
        text: 'Espressif: a board with encrypted flash encrypts programs and encrypted partitions',
      },
    ],
  },
  mode: {
    ...inHeader('mode'),
    field: choice('Mode', [
      keep,
      ...['dio', 'dout', 'qio', 'qout'].map((mode) => ({ value: mode, label: mode.toUpperCase() })),
    ]),
    flags: [
      {
        flags: '--flash-mode <mode>',
        text: 'Espressif: mode in the header of the bootloader',
        completes: ['qio', 'qout', 'dio', 'dout'],
      },
    ],
  },
  frequency: {
    ...inHeader('frequency'),
    field: choice<string | number>('Frequency', [
      keep,
      ...[20, 26, 40, 80].map((value) => ({ value, label: `${value} MHz` })),
    ]),
    flags: [
      {
        flags: '--flash-freq <MHz>',
        text: 'Espressif: frequency in that header',
        completes: ['80', '40', '26', '20'],
        read: readMegahertz,
        takes: 'a whole number from 1 to 1000',
      },
    ],
  },
  size: {
    ...inHeader('size'),
    field: choice<string | number>('Size', [
      keep,
      { value: 'detect', label: 'Detect' },
      ...sizes.map((value) => ({ value, label: sizeText(value) })),
    ]),
    flags: [
      {
        flags: '--flash-size <size>',
        text: 'Espressif: size in that header, as in 4MB; detect takes that of the board',
        completes: ['detect', '1MB', '2MB', '4MB', '8MB', '16MB'],
        read: readSize,
        takes: 'detect or a size as in 4MB',
      },
    ],
  },
} satisfies Record<string, WriteSetting<EspSettings>>;

const stmFields = {
  entry: {
    ...at<StmSettings>('entry'),
    field: choice<StmSettings['entry']>(
      'Starting the bootloader',
      [
        { value: 'usual', label: 'DTR to reset, RTS to BOOT0' },
        { value: 'swapped', label: 'RTS to reset, DTR to BOOT0' },
        { value: 'direct', label: 'DTR to reset, RTS to BOOT0, BOOT0 inverted' },
        { value: 'direct-swapped', label: 'RTS to reset, DTR to BOOT0, BOOT0 inverted' },
        { value: 'inverted', label: 'DTR to reset, RTS to BOOT0, both inverted' },
        { value: 'inverted-swapped', label: 'RTS to reset, DTR to BOOT0, both inverted' },
        { value: 'manual', label: 'By hand: BOOT0 and the reset button' },
      ],
      'If DTR and RTS are not wired, as on a Nucleo, choose By hand.',
    ),
    flags: [
      {
        flags: '--entry <wiring>',
        text: 'STM32: wiring of the control lines; usual is DTR to reset and RTS to BOOT0, as without the option',
      },
    ],
    isForConnect: true,
  },
} satisfies Record<string, WriteSetting<StmSettings>>;

const avrFields = {
  writesEeprom: {
    ...at<AvrSettings>('writesEeprom'),
    field: { kind: 'switch', label: 'Write EEPROM data of the files' },
    flags: [{ flags: '--no-eeprom', text: 'Arduino (AVR): leave out EEPROM data of the files' }],
  },
} satisfies Record<string, WriteSetting<AvrSettings>>;

const nrfFields = {
  activate: {
    ...at<NrfSettings>('activate'),
    field: choice<NrfSettings['activate']>('New image', [
      { value: 'confirm', label: 'Permanent' },
      { value: 'test', label: 'Test: reverted unless it confirms itself' },
    ]),
    flags: [
      {
        flags: '--activate <when>',
        text: 'Nordic with MCUboot: confirm makes the new image permanent; test, as without the option, reverts one that does not confirm itself',
      },
    ],
  },
} satisfies Record<string, WriteSetting<NrfSettings>>;

/** Rows of every family. */
export const writeSettings: Readonly<Record<FamilyId, Readonly<Record<string, WriteSetting>>>> = {
  esp: espFields,
  stm: stmFields,
  avr: avrFields,
  nrf: nrfFields,
  rp: {},
};
