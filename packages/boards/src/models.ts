/**
 * Chips, series of chips and boards that a release can be for: their keys, vendors' spellings and families, and the
 * chips of boards. Keys are stored, and are in manifests and in the API.
 */
import { type FamilyId, familyIds } from './families.ts';

/** Models of the simple form, in its order. Other families have none. */
export const specifiedModels = {
  esp: ['esp32', 'esp32s2', 'esp32s3', 'esp32c6', 'esp32c3'],
  stm: ['stm32f', 'stm32g', 'stm32h', 'stm32l', 'stm32w'],
} as const;

/** Chips beside them, in the order of the form. */
const furtherChips = {
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
  rp: ['rp2040', 'rp2350'],
} as const satisfies Record<FamilyId, readonly string[]>;

type Chip = (typeof furtherChips)[FamilyId][number];

/** The vendor's spelling, and the chip. */
type Board = readonly [name: string, chip: Chip];

/**
 * Boards by key, before the chips of their family in forms. A bootloader tells its chip by the signature, but not its
 * board: an ATmega328P may be an Uno or a Nano. Source: the Arduino AVR core, `boards.txt` (`build.mcu`), and SparkFun's
 * for the Pro Micro.
 */
const boards = {
  uno: ['Arduino Uno', 'atmega328p'],
  nano: ['Arduino Nano', 'atmega328p'],
  promini: ['Arduino Pro Mini', 'atmega328p'],
  mega2560: ['Arduino Mega 2560', 'atmega2560'],
  leonardo: ['Arduino Leonardo', 'atmega32u4'],
  micro: ['Arduino Micro', 'atmega32u4'],
  promicro: ['Pro Micro', 'atmega32u4'],
} as const satisfies Readonly<Record<string, Board>>;

type SpecifiedModel = (typeof specifiedModels)[keyof typeof specifiedModels][number];
/** A chip, a series of chips of the same family, or a board. */
export type DeviceModel = SpecifiedModel | Chip | keyof typeof boards;

const boardOf = (key: string): Board | undefined => (Object.hasOwn(boards, key) ? boards[key as 'uno'] : undefined);

/** Returns the chip of a board; any other model in lower case. */
export function chipOf(model: string): string {
  const key = model.toLowerCase();
  return boardOf(key)?.[1] ?? key;
}

/** Returns the name of a model as its vendor writes it: `ESP32-S3`, `STM32F`, `nRF52840`, `Arduino Uno`. */
export function modelName(model: string): string {
  const key = model.toLowerCase();
  return (
    boardOf(key)?.[0] ??
    key
      .toUpperCase()
      .replace(/^ESP32(?=[A-Z])/, 'ESP32-')
      .replace(/^NRF/, 'nRF')
      .replace(/^ATMEGA/, 'ATmega')
  );
}

/** Returns the boards of a family. */
export function boardsOf(family: FamilyId): readonly DeviceModel[] {
  const chips: readonly string[] = furtherChips[family];
  return (Object.keys(boards) as (keyof typeof boards)[]).filter((key) => chips.includes(boards[key][1]));
}

/** Returns the specified models of a family; none for a family that the specification does not have. */
export function specifiedModelsOf(family: FamilyId): readonly SpecifiedModel[] {
  return family in specifiedModels ? specifiedModels[family as keyof typeof specifiedModels] : [];
}

/** Returns the chips of a family beside the specified models. */
export const furtherChipsOf = (family: FamilyId): readonly DeviceModel[] => furtherChips[family];

/** Returns the models of a family beside the specified ones: boards, then chips. */
export const furtherModelsOf = (family: FamilyId): readonly DeviceModel[] => [
  ...boardsOf(family),
  ...furtherChips[family],
];

/** Returns all models of a family, the specified ones first. */
export const modelsOf = (family: FamilyId): readonly DeviceModel[] => [
  ...specifiedModelsOf(family),
  ...furtherModelsOf(family),
];

/** Returns the family of a model; null for text that is no model. */
export function familyOf(model: string): FamilyId | null {
  return familyIds.find((family) => modelsOf(family).some((known) => known === model)) ?? null;
}
