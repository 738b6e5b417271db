/**
 * Decodes the words of the eFuses into fields with values, in the words of `espefuse summary`. A field whose block is
 * hidden from reading has no value: its bits read as 0 whatever was burnt.
 */
import { hexOf } from '../../core/bytes.ts';
import type { ChipName } from '../chips/chip-facts.ts';
import { type OtpFacts, otpFacts } from '../chips/esp8266-otp.ts';
import type { CombinedField, EfuseField, EfuseLayout, PlacedField } from './efuse-layout.ts';
import type { EfuseWords } from './read-efuses.ts';

export interface EfuseValue {
  readonly field: EfuseField;
  /** Number of the block, for the name in a summary. */
  readonly block: number;
  /** False: the field is hidden from reading, so `number` is null and `text` has question marks. */
  readonly readable: boolean;
  readonly writable: boolean;
  /** Bits as an unsigned number; null for bytes and for hidden fields. */
  readonly number: number | null;
  /** Bytes as they are stored, lowest first; null for numbers. Hidden bytes are 0. */
  readonly bytes: Uint8Array | null;
  /** Value as a summary shows it: `True`, `XTS_AES_128_KEY`, `7c:df:a1:e0:4b:3c (OK)`. */
  readonly text: string;
  /** Bits of a number: `0b0` or `0x3f`; null for bytes. */
  readonly raw: string | null;
  /** True: at least one bit is burnt, as far as it can be read. */
  readonly isBurnt: boolean;
  /** True: the controller reports coding errors in these bits or in their block. */
  readonly isDamaged: boolean;
  /** True: the controller could not correct the block, so that its bits may be others than those that were burnt. */
  readonly isFailed: boolean;
}

interface BlockErrors {
  readonly name: string;
  readonly errors: number;
  readonly failed: boolean;
}

export interface Efuses {
  readonly chip: ChipName;
  /** In the order of a summary: group by group. */
  readonly values: readonly EfuseValue[];
  /** Meaning of the bits of an ESP8266; null for all other chips. */
  readonly otp: OtpFacts | null;
  /** Blocks with coding errors. */
  readonly errors: readonly BlockErrors[];
  /** Returns a field; null if this chip has no such field. */
  get(name: string): EfuseValue | null;
  /** Returns a number; null for a field that this chip does not have, or that is hidden. */
  number(name: string): number | null;
}

export function decodeEfuses(layout: EfuseLayout, words: EfuseWords): Efuses {
  return new DecodedEfuses(layout, words);
}

/** ESP32: reference voltage of the ADC without correction, and the step of the correction, in mV (ESP-IDF, `esp_adc_cal`). */
const VREF = { ideal: 1_100, step: 7 };
/** ESP32: readings of the ADC at 150 mV and 850 mV without correction (ESP-IDF, `esp_adc_cal_esp32.c`). */
const testPoints: Readonly<Record<string, number>> = {
  ADC1_TP_LOW: 278,
  ADC2_TP_LOW: 421,
  ADC1_TP_HIGH: 3_265,
  ADC2_TP_HIGH: 3_406,
};
const TEST_POINT_STEP = 4;
const macNames = ['MAC', 'CUSTOM_MAC', 'MAC_EXT'];
/** Scheme of the ESP32 that keeps six words in a block of eight. */
const THREE_QUARTERS = 1;

class DecodedEfuses implements Efuses {
  readonly chip: ChipName;
  readonly values: readonly EfuseValue[];
  readonly errors: readonly BlockErrors[];
  readonly otp: OtpFacts | null;
  readonly #layout: EfuseLayout;
  readonly #words: EfuseWords;
  readonly #byName: ReadonlyMap<string, PlacedField>;
  readonly #blockErrors: readonly BlockErrors[];

  constructor(layout: EfuseLayout, words: EfuseWords) {
    this.chip = words.chip;
    const [word0 = 0, word1 = 0, word2 = 0, word3 = 0] = words.blocks[0] ?? [];
    this.otp = words.chip === 'esp8266' ? otpFacts([word0, word1, word2, word3]) : null;
    this.#layout = layout;
    this.#words = words;
    this.#byName = new Map(
      layout.fields.flatMap((field) => (field.kind === 'placed' ? [[field.name, field] as const] : [])),
    );
    this.#blockErrors = layout.blocks.map(({ name }, index) => ({ name, ...this.#errorsOf(index) }));
    this.errors = this.#blockErrors.filter(({ errors, failed }) => errors > 0 || failed);
    this.values = layout.fields.flatMap((field) => {
      const value = this.#present(field) ? this.#decode(field) : null;
      return value === null ? [] : [value];
    });
  }

  get(name: string): EfuseValue | null {
    return this.values.find(({ field }) => field.name === name) ?? null;
  }

  number(name: string): number | null {
    return this.get(name)?.number ?? null;
  }

  #present(field: EfuseField): boolean {
    if (field.kind === 'combined') {
      return true;
    }
    switch (field.presence) {
      case 'always':
        return true;
      case 'custom-mac':
        return this.#bitsOf('MAC_VERSION') === 1;
      case 'until-1.1': {
        return this.#bitsOf('WAFER_VERSION_MAJOR') * 100 + this.#bitsOf('WAFER_VERSION_MINOR') <= 101;
      }
      case 'calibrated':
        return this.#isCalibrated();
    }
  }

  #isCalibrated(): boolean {
    const { calibrated } = this.#layout;
    switch (calibrated.kind) {
      case 'never':
        return false;
      case 'field':
        return this.#bitsOf(calibrated.name) === 1;
      case 'block-version':
        return this.#bitsOf('BLK_VERSION_MAJOR') * 100 + this.#bitsOf('BLK_VERSION_MINOR') >= calibrated.from;
    }
  }

  /** Returns the bits of a field, also of a hidden one; 0 for a field that this chip does not have. */
  #bitsOf(name: string): number {
    const field = this.#byName.get(name);
    return field === undefined ? 0 : this.#bits(field);
  }

  #bits({ block, bit, length }: Pick<PlacedField, 'block' | 'bit' | 'length'>): number {
    return numberAt(this.#words.blocks[block] ?? [], bit, length);
  }

  #decode(field: EfuseField): EfuseValue {
    return field.kind === 'combined' ? this.#decodeCombined(field) : this.#decodePlaced(field);
  }

  #decodePlaced(field: PlacedField): EfuseValue {
    const length = this.#lengthOf(field);
    const hidden = field.readProtection.map((bit) => ((this.#bitsOf('RD_DIS') >>> bit) & 1) === 1);
    const readable = !hidden.includes(true);
    const number = field.isBytes ? 0 : this.#bits({ ...field, length });
    const bytes = field.isBytes ? this.#bytes(field, length) : null;
    const { writeProtection } = field;
    const isBurnt = bytes === null ? number !== 0 : bytes.some((byte) => byte !== 0);
    const shown = bytes === null ? this.#numberText(field, number) : this.#bytesText(field, bytes);
    return {
      field,
      block: field.block,
      readable,
      writable: writeProtection === null || ((this.#bitsOf('WR_DIS') >>> writeProtection) & 1) === 0,
      number: bytes === null && readable ? number : null,
      bytes,
      text: readable ? shown : masked(shown, hidden, isBurnt),
      raw: bytes === null ? rawText(number, length) : null,
      isBurnt,
      isDamaged: this.#isDamaged(field),
      isFailed: field.block > 0 && this.#blockErrors[field.block]?.failed === true,
    };
  }

  /** Returns the length in bits. With the 3/4 coding of the ESP32, a whole block has six words of data. */
  #lengthOf({ length, isBytes }: PlacedField): number {
    const isShort = isBytes && length === 256 && this.#bitsOf('CODING_SCHEME') === THREE_QUARTERS;
    return this.chip === 'esp32' && isShort ? 192 : length;
  }

  #bytes({ block, bit }: PlacedField, length: number): Uint8Array {
    return Uint8Array.from({ length: length / 8 }, (_, index) =>
      this.#bits({ block, bit: bit + index * 8, length: 8 }),
    );
  }

  #numberText(field: PlacedField, number: number): string {
    const { name, length } = field;
    const named = this.#layout.values[name]?.[number];
    if (named !== undefined) {
      return named;
    }
    if (/^KEY_PURPOSE_\d$/.test(name) && this.#byName.has('BLOCK_KEY1')) {
      const purpose = this.#bitsOf(`${name}_H`) * 16 + number;
      const { purposes, hasCustomPurposes } = this.#layout;
      return purposes[purpose] ?? (hasCustomPurposes ? `CUSTOM_${purpose}` : 'FORBIDDEN_STATE');
    }
    if (name === 'TEMP_CALIB') {
      return (signMagnitude(number, length) * 0.1).toFixed(1);
    }
    if (this.chip === 'esp32') {
      return String(esp32Number(field, number));
    }
    return length === 1 ? booleanText(number) : String(number);
  }

  #bytesText(field: PlacedField, bytes: Uint8Array): string {
    const { name, block } = field;
    if (!macNames.includes(name)) {
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
    }
    // The custom MAC is stored in the order of its text, the others in reverse.
    const ordered = name === 'CUSTOM_MAC' ? bytes : bytes.toReversed();
    const check = this.chip === 'esp32' ? this.#crcText(name, ordered) : this.#checkText(block);
    return `${macText(ordered)} ${check}`;
  }

  #crcText(name: string, mac: Uint8Array): string {
    const stored = this.#bitsOf(`${name}_CRC`);
    const calculated = crc8(mac);
    return stored === calculated
      ? `(CRC ${byteText(stored)} OK)`
      : `(CRC ${byteText(stored)} invalid - calculated ${byteText(calculated)})`;
  }

  #checkText(block: number): string {
    const { errors, failed } = this.#blockErrors[block] ?? { errors: 0, failed: false };
    return errors > 0 || failed ? `(Block${block} has ERRORS:${errors} FAIL:${failed ? 'True' : 'False'})` : '(OK)';
  }

  #decodeCombined(field: CombinedField): EfuseValue {
    const parts = field.parts.flatMap((name) => this.#byName.get(name) ?? []);
    // A summary counts combined numbers to block 0, wherever their parts are.
    const block = field.name === 'MAC_EUI64' ? 1 : 0;
    const whole = {
      field,
      block,
      readable: true,
      writable: true,
      isDamaged: parts.some((part) => this.#isDamaged(part)),
      isFailed: parts.some((part) => part.block > 0 && this.#blockErrors[part.block]?.failed === true),
    };
    if (field.name === 'MAC_EUI64') {
      const [mac, extension] = parts.map((part) => this.#bytes(part, part.length).toReversed());
      const bytes = Uint8Array.from([
        ...(mac?.subarray(0, 3) ?? []),
        ...(extension ?? []),
        ...(mac?.subarray(3) ?? []),
      ]);
      const text = `${macText(bytes)} ${this.#checkText(block)}`;
      return { ...whole, number: null, bytes: bytes.toReversed(), text, raw: null, isBurnt: bytes.some(Boolean) };
    }
    if (this.otp !== null) {
      return { ...whole, number: null, bytes: null, text: this.otp.mac, raw: null, isBurnt: true };
    }
    const isRevision = this.chip === 'esp32' && field.name === 'WAFER_VERSION_MAJOR';
    const length = isRevision ? 3 : parts.reduce((sum, part) => sum + part.length, 0);
    // Two bits of the major revision of the ESP32 are eFuses, the third is in another register.
    const number = isRevision ? (this.#words.revision?.major ?? 0) : this.#combined(parts);
    return { ...whole, number, bytes: null, text: String(number), raw: rawText(number, length), isBurnt: number !== 0 };
  }

  #combined(parts: readonly PlacedField[]): number {
    let shift = 0;
    let number = 0;
    for (const part of parts) {
      number += this.#bits(part) * 2 ** shift;
      shift += part.length;
    }
    return number;
  }

  #errorsOf(block: number): { readonly errors: number; readonly failed: boolean } {
    const { errors } = this.#layout;
    const counts = this.#words.errors;
    if (errors.kind === 'none') {
      return { errors: 0, failed: false };
    }
    if (errors.kind === 'decoder') {
      return { errors: 0, failed: block > 0 && ((counts[0] ?? 0) & 0xfff) !== 0 };
    }
    if (block === 0) {
      const bits = counts.slice(0, errors.repeatWords).reduce((sum, word) => sum + bitCount(word), 0);
      return { errors: bits, failed: bits > 0 };
    }
    const nibbles = counts.slice(errors.repeatWords);
    const failing = errors.failsOneLater ? block : block - 1;
    // The failure bit of the last block of the ESP32-C3 would be in a nibble that does not exist.
    const canFail = failing < this.#layout.blocks.length - 1;
    return {
      errors: numberAt(nibbles, (block - 1) * 4, 3),
      failed: canFail && numberAt(nibbles, failing * 4 + 3, 1) === 1,
    };
  }

  #isDamaged({ block, bit, length }: PlacedField): boolean {
    const { errors } = this.#layout;
    if (block === 0 && errors.kind === 'blocks') {
      // The copy begins with the second word of the block.
      const start = bit - 32;
      return start >= 0 && numberAt(this.#words.errors.slice(0, errors.repeatWords), start, length) !== 0;
    }
    return this.errors.some(({ name }) => name === this.#layout.blocks[block]?.name);
  }
}

/** Returns `length` bits from `bit` on; words beyond the end count as 0. At most 53 bits. */
function numberAt(words: readonly number[], bit: number, length: number): number {
  let number = 0;
  for (let taken = 0; taken < length; ) {
    const at = bit + taken;
    const count = Math.min(32 - (at % 32), length - taken);
    const part = ((words[Math.floor(at / 32)] ?? 0) >>> (at % 32)) & (2 ** count - 1);
    number += (part >>> 0) * 2 ** taken;
    taken += count;
  }
  return number;
}

function bitCount(word: number): number {
  let count = 0;
  for (let rest = word >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) {
    count++;
  }
  return count;
}

/** Returns the number of a field of the ESP32 whose bits are coded. */
function esp32Number({ name, group, length }: PlacedField, number: number): number | string {
  if (name === 'ADC_VREF') {
    return VREF.ideal + signMagnitude(number, length) * VREF.step;
  }
  const point = testPoints[name];
  if (point !== undefined) {
    const sign = 2 ** (length - 1);
    return point + ((number & (sign - 1)) - (number & sign)) * TEST_POINT_STEP;
  }
  if (group === 'spi pad') {
    // Pins 30 and 31 do not exist; their codes stand for 32 and 33.
    return number >= 30 ? number + 2 : number;
  }
  return length === 1 ? booleanText(number) : number;
}

/** Decodes a number whose highest bit is its sign. */
function signMagnitude(number: number, length: number): number {
  const sign = 2 ** (length - 1);
  return number >= sign ? sign - number : number;
}

/** Replaces the zeros of hidden parts by question marks. */
function masked(text: string, hidden: readonly boolean[], isBurnt: boolean): string {
  if (hidden.length > 1) {
    const size = Math.floor(text.length / hidden.length);
    return hidden
      .map((isHidden, part) => {
        const piece = text.slice(part * size, part === hidden.length - 1 ? undefined : (part + 1) * size);
        return isHidden ? piece.replaceAll('0', '?') : piece;
      })
      .join('');
  }
  return isBurnt ? text : text.replaceAll('0', '?');
}

function booleanText(number: number): string {
  return number === 1 ? 'True' : 'False';
}

function rawText(number: number, length: number): string {
  return length % 4 === 0
    ? `0x${number.toString(16).padStart(length / 4, '0')}`
    : `0b${number.toString(2).padStart(length, '0')}`;
}

function byteText(byte: number): string {
  return `0x${hexOf(Uint8Array.of(byte))}`;
}

function macText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(':');
}

/** Returns the check sum of a MAC of the ESP32: CRC-8 of Maxim's 1-Wire (Technical Reference Manual, eFuse Controller). */
function crc8(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 1) === 0 ? crc >> 1 : (crc >> 1) ^ 0x8c;
    }
  }
  return crc;
}
