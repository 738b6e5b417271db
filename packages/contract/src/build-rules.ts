/**
 * Rules of the builds of a version (docs/behaviour.md, "Releases"): further chips, guards, limits, file formats. A
 * separate entry without a schema library, because the first screen of the web app loads `constants.ts`.
 */
import { type DeviceFamily, deviceModelNames, deviceModels, type SpecifiedModel } from './release-rules.ts';

/**
 * Chips beside the ten of `deviceModels`, in the order of the form. An `esp` model is one chip, named as in
 * `esptool --chip`. A model of the other families covers each chip whose key begins with it: `stm32f` covers `stm32f4`,
 * `nrf52` covers `nrf52840`, and `atmega328` covers `atmega328p`. An `avr` model may also be a board, which covers its
 * chip (`@wirebench/flasher/release`, `release-build.ts`).
 */
export const moreDeviceModels = {
  esp: ['esp8266', 'esp32c2', 'esp32c5', 'esp32c61', 'esp32h2', 'esp32h21', 'esp32h4', 'esp32p4'],
  stm: [
    'stm32f0',
    'stm32f1',
    'stm32f2',
    'stm32f3',
    'stm32f4',
    'stm32f7',
    'stm32g0',
    'stm32g4',
    'stm32h7',
    'stm32l0',
    'stm32l1',
    'stm32l4',
    'stm32wb',
    'stm32wl',
  ],
  nrf: [
    'nrf51',
    'nrf52',
    'nrf52810',
    'nrf52811',
    'nrf52820',
    'nrf52832',
    'nrf52833',
    'nrf52840',
    'nrf5340',
    'nrf54l15',
    'nrf9160',
  ],
  avr: [
    'uno',
    'nano',
    'promini',
    'mega2560',
    'leonardo',
    'micro',
    'promicro',
    'atmega8',
    'atmega168',
    'atmega328',
    'atmega328p',
    'atmega328pb',
    'atmega644p',
    'atmega1280',
    'atmega1284p',
    'atmega2560',
    'atmega32u4',
    'atmega4809',
  ],
} as const satisfies Record<DeviceFamily, readonly string[]>;

type MoreModel = (typeof moreDeviceModels)[DeviceFamily][number];
/** A chip, or a series of chips of the same family. */
export type DeviceModel = SpecifiedModel | MoreModel;

/** Models whose names follow from their keys: `stm32f0`, `nrf54l15`, `atmega328p`. */
type RegularModel = Extract<MoreModel, `stm32${string}` | `nrf${string}` | `atmega${string}`>;

/** The vendors' spelling of each further chip and board. */
const moreDeviceModelNames: Readonly<Record<Exclude<MoreModel, RegularModel>, string>> = {
  esp8266: 'ESP8266',
  esp32c2: 'ESP32-C2',
  esp32c5: 'ESP32-C5',
  esp32c61: 'ESP32-C61',
  esp32h2: 'ESP32-H2',
  esp32h21: 'ESP32-H21',
  esp32h4: 'ESP32-H4',
  esp32p4: 'ESP32-P4',
  uno: 'Arduino Uno',
  nano: 'Arduino Nano',
  promini: 'Arduino Pro Mini',
  mega2560: 'Arduino Mega 2560',
  leonardo: 'Arduino Leonardo',
  micro: 'Arduino Micro',
  promicro: 'Pro Micro',
};

/** Families of projects and builds, in the order of the form. */
export const deviceFamilies = ['esp', 'stm', 'nrf', 'avr'] as const satisfies readonly DeviceFamily[];

/** Returns the vendor's spelling of any model. */
export function deviceModelName(model: DeviceModel): string {
  const names: Readonly<Record<string, string>> = { ...deviceModelNames, ...moreDeviceModelNames };
  return (
    names[model] ??
    model
      .toUpperCase()
      .replace(/^NRF/, 'nRF')
      .replace(/^ATMEGA/, 'ATmega')
  );
}

/** Returns all models of a family, the specified ones first. */
export function modelsOf(family: DeviceFamily): readonly DeviceModel[] {
  return [...specifiedModels(family), ...moreDeviceModels[family]];
}

/** Returns the specified models of a family; none for a family that the specification does not have. */
export function specifiedModels(family: DeviceFamily): readonly SpecifiedModel[] {
  return family in deviceModels ? deviceModels[family as keyof typeof deviceModels] : [];
}

/** Returns the family of a model; null for text that is no model. */
export function familyOf(model: string): DeviceFamily | null {
  return deviceFamilies.find((family) => modelsOf(family).some((known) => known === model)) ?? null;
}

export const buildLimits = {
  /** Default of the builds of a version (`LIMIT_BUILDS`). `/config.json` has the limit of the running server. */
  builds: 8,
  /** Files of one build. */
  files: 8,
} as const;

/** Connections that a build can be for: the chip's own USB, or a UART such as that of a USB adapter. */
export const buildConnections = ['usb', 'uart'] as const;
export type BuildConnection = (typeof buildConnections)[number];

/**
 * Ends of the names of files that a build may have. The formats beside `.bin` have their own addresses, so they need no
 * offset.
 */
export const firmwareEndings = {
  bin: ['.bin'],
  hex: ['.hex', '.ihex', '.ihx'],
  /** Intel HEX with the EEPROM of an AVR. */
  eep: ['.eep'],
  srec: ['.srec', '.s19', '.s28', '.s37', '.mot'],
  uf2: ['.uf2'],
  elf: ['.elf', '.axf'],
  dfu: ['.dfu'],
  zip: ['.zip'],
} as const;

type FirmwareFormat = keyof typeof firmwareEndings;

/** Returns the format that a file's name states; null for a name that no build may have. */
export function firmwareFormatOf(fileName: string): FirmwareFormat | null {
  const name = fileName.toLowerCase();
  const formats = Object.keys(firmwareEndings) as FirmwareFormat[];
  return formats.find((format) => firmwareEndings[format].some((ending) => name.endsWith(ending))) ?? null;
}
