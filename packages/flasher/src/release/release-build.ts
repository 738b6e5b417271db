/**
 * A build of a release: the board that it is for. Which files it has is the caller's: a server's answer, a manifest and
 * a form have different ones.
 */
import { sizeText } from '../core/bytes.ts';
import { chipFacts } from '../espressif/chips/chip-facts.ts';

/** Conditions that a board must meet beside its chip. A missing key is no condition. */
export interface BuildGuards {
  /** Smallest flash in bytes. */
  readonly flashSize?: number | undefined;
  /** True: only boards with PSRAM. False: only boards without. */
  readonly psram?: boolean | undefined;
  /** Oldest revision of the chip as `major * 100 + minor`, as in Espressif's image header (`min_chip_rev_full`). */
  readonly minRevision?: number | undefined;
  /** `usb`: the chip's own USB port. `uart`: a bridge at its serial pins. */
  readonly connection?: 'usb' | 'uart' | undefined;
}

export interface ReleaseBuild {
  /** `esp`, `stm`, `nrf` or `avr`. */
  readonly deviceFamily: string;
  /** Chip, series or board, such as `esp32s3`, `stm32f`, `nrf52840` or `uno`. */
  readonly deviceModel: string;
  readonly guards: BuildGuards;
}

/** Properties that a connected board reported. Missing or null: the board did not report it. */
export interface BoardFacts {
  readonly family: string;
  /** Chip, as precise as it is known: `esp32s3`, `stm32f4`, `nrf52840`, `atmega328p`. Null if the bootloader does not report it. */
  readonly model: string | null;
  /** In bytes. */
  readonly flashSize?: number | null;
  readonly psram?: boolean | null;
  /** `major * 100 + minor`. */
  readonly revision?: number | null;
  readonly connection?: 'usb' | 'uart' | null;
}

/**
 * Boards with an AVR that a build can name, with their names and chips. A bootloader tells its chip by the signature,
 * but not its board: an ATmega328P may be an Uno or a Nano. Source: the Arduino AVR core, `boards.txt` (`build.mcu`), and
 * SparkFun's for the Pro Micro.
 */
const avrBoards: Readonly<Record<string, readonly [name: string, chip: string]>> = {
  uno: ['Arduino Uno', 'atmega328p'],
  nano: ['Arduino Nano', 'atmega328p'],
  promini: ['Arduino Pro Mini', 'atmega328p'],
  mega2560: ['Arduino Mega 2560', 'atmega2560'],
  leonardo: ['Arduino Leonardo', 'atmega32u4'],
  micro: ['Arduino Micro', 'atmega32u4'],
  promicro: ['Pro Micro', 'atmega32u4'],
};

const avrBoard = (key: string) => (Object.hasOwn(avrBoards, key) ? avrBoards[key] : undefined);

/** Returns the chip of an AVR model, which is a board or a chip itself. */
export function avrChipOf(model: string): string {
  const key = model.toLowerCase();
  return avrBoard(key)?.[1] ?? key;
}

/** Returns the name of a chip, series or board as its vendor writes it: `ESP32-S3`, `STM32F`, `nRF52840`, `Arduino Uno`. */
export function modelName(model: string): string {
  const chips: Readonly<Record<string, { readonly label: string } | undefined>> = chipFacts;
  const key = model.toLowerCase();
  const known = Object.hasOwn(chips, key) ? chips[key] : undefined;
  return (
    known?.label ??
    avrBoard(key)?.[0] ??
    key
      .toUpperCase()
      .replace(/^NRF/, 'nRF')
      .replace(/^ATMEGA/, 'ATmega')
  );
}

/** Returns a revision as Espressif writes it: `v3.1`. */
export const revisionName = (revision: number): string => `v${Math.floor(revision / 100)}.${revision % 100}`;

/** Returns the conditions in words, to be joined: `8 MB of flash or more`. Empty without conditions. */
export function guardTexts({ flashSize, psram, minRevision, connection }: BuildGuards): string[] {
  return [
    ...(flashSize === undefined ? [] : [`${sizeText(flashSize)} of flash or more`]),
    ...(psram === undefined ? [] : [psram ? 'PSRAM' : 'no PSRAM']),
    ...(minRevision === undefined ? [] : [`revision ${revisionName(minRevision)} or later`]),
    ...(connection === undefined ? [] : [connection === 'usb' ? 'a connection over its own USB' : 'a USB-UART bridge']),
  ];
}

/** Returns a build's board in words: `ESP32-S3 with 8 MB of flash or more and PSRAM`. */
export function buildName({ deviceModel, guards }: ReleaseBuild): string {
  const conditions = guardTexts(guards);
  return conditions.length === 0 ? modelName(deviceModel) : `${modelName(deviceModel)} with ${allOf(conditions)}`;
}

/** Returns the chips of the builds by name, each once, in the order of the builds. */
export function chipsOf(builds: readonly ReleaseBuild[]): string[] {
  return [...new Set(builds.map(({ deviceModel }) => modelName(deviceModel)))];
}

/** Joins words: `a, b and c`. */
export const allOf = (words: readonly string[]): string => joined(words, 'and');

/** Joins words: `a, b or c`. */
export const anyOf = (words: readonly string[]): string => joined(words, 'or');

function joined(words: readonly string[], last: 'and' | 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
