/**
 * A build of a release: the board that it is for. Which files it has is the caller's: a server's answer, a manifest and
 * a form have different ones.
 */
import { sizeText } from '../core/bytes.ts';
import { chipFacts } from '../espressif/chips/chip-facts.ts';
import { avrModelName } from './avr-boards.ts';

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

/** Returns the name of a chip, series or board as its vendor writes it: `ESP32-S3`, `STM32F`, `nRF52840`, `Arduino Uno`. */
export function modelName(model: string): string {
  const chips: Readonly<Record<string, { readonly label: string } | undefined>> = chipFacts;
  const key = model.toLowerCase();
  const known = Object.hasOwn(chips, key) ? chips[key] : undefined;
  if (known !== undefined) {
    return known.label;
  }
  return key.startsWith('nrf') ? `nRF${model.slice(3).toUpperCase()}` : (avrModelName(model) ?? model.toUpperCase());
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
