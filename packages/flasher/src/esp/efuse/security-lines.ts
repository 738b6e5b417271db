/** Says what the eFuses of a board mean for the people who have it, one sentence for each subject. */
import type { OtpFacts } from '../chips/esp8266-otp.ts';
import type { EspSecurityReport } from '../esp-info.ts';
import {
  type BootKey,
  bitCountOf,
  bootRulesOf,
  digestText,
  type KeyState,
  keyStateOf,
  noKeyText,
} from './boot-rules.ts';
import type { Efuses } from './decode-efuses.ts';

/**
 * `open`: allowed to everyone with the board. `locked`: forbidden or limited. `key`: about keys. `fact`: neither.
 * `warning`: something is wrong with the eFuses.
 */
export type SecurityMark = 'open' | 'locked' | 'key' | 'fact' | 'warning';

export interface SecurityLine {
  readonly mark: SecurityMark;
  readonly text: string;
  /** Names of the eFuses with their values: `DIS_DOWNLOAD_MODE 0`. */
  readonly fuses: string;
}

/** Texts around the lines. */
export const securityText = {
  promise: 'Read from the chip. Wirebench never writes an eFuse.',
  heading: 'What this board allows',
  lockedAway: 'This board is in Secure Download Mode: its eFuses cannot be read.',
} as const;

/** Meaning of a mark in a word; empty for a plain fact. */
export const securityMarkText = {
  open: 'Open',
  locked: 'Locked',
  key: 'Keys',
  fact: '',
  warning: 'Warning',
} as const satisfies Record<SecurityMark, string>;

/** Key blocks of all chips but ESP32 and ESP32-C2. */
const KEY_BLOCKS = 6;
/** Bits that count how often encryption was turned on and off. */
const counterBits = { FLASH_CRYPT_CNT: 7, SPI_BOOT_CRYPT_CNT: 3 } as const;

export function securityLines(efuses: Efuses): SecurityLine[] {
  if (efuses.otp !== null) {
    return esp8266Lines(efuses, efuses.otp);
  }
  return [
    accessLine(efuses),
    encryptionLine(efuses),
    ...signatureLines(efuses),
    debuggerLine(efuses),
    ...keyLines(efuses),
    ...versionLines(efuses),
    ...usbLines(efuses),
    messageLine(efuses),
    ...voltageLines(efuses),
    ...identityLines(efuses),
    calibrationLine(efuses),
    ...errorLines(efuses),
  ].filter((line) => line !== null);
}

/** The ESP8266 has nothing to lock. */
function esp8266Lines(efuses: Efuses, { model, mac, hasEmbeddedFlash, embeddedSize }: OtpFacts): SecurityLine[] {
  const size = embeddedSize === null ? '' : `${embeddedSize / 2 ** 20} MB of `;
  return [
    { mark: 'open', text: 'Anyone with a cable can read and replace everything on it', fuses: '' },
    { mark: 'open', text: 'It starts any firmware: this chip has no secure boot and no flash encryption', fuses: '' },
    {
      mark: 'fact',
      text: hasEmbeddedFlash ? `${model}: ${size}flash in the chip` : `${model}: flash is a chip of its own`,
      fuses: fuses(efuses, 'EMBEDDED_FLASH_A', 'EMBEDDED_FLASH_B', 'EMBEDDED_FLASH_SIZE'),
    },
    { mark: 'fact', text: `MAC address ${mac}`, fuses: 'MAC' },
  ];
}

/** Formats eFuses with their values; leaves out those that this chip does not have or hides. */
function fuses(efuses: Efuses, ...names: readonly string[]): string {
  return names
    .flatMap((name) => {
      const value = efuses.get(name);
      return value === null ? [] : [`${name} ${value.number ?? value.text}`];
    })
    .join(' · ');
}

function isSet(efuses: Efuses, name: string): boolean {
  return efuses.number(name) === 1;
}

function accessLine(efuses: Efuses): SecurityLine {
  const off = efuses.chip === 'esp32' ? 'UART_DOWNLOAD_DIS' : 'DIS_DOWNLOAD_MODE';
  if (isSet(efuses, off)) {
    return {
      mark: 'locked',
      text: 'Download mode is off for good: this board can no longer be written by cable',
      fuses: fuses(efuses, off),
    };
  }
  if (isSet(efuses, 'ENABLE_SECURITY_DOWNLOAD')) {
    return {
      mark: 'locked',
      text: 'It can be written by cable, but not read',
      fuses: fuses(efuses, 'ENABLE_SECURITY_DOWNLOAD'),
    };
  }
  const { flashEncryption, secureBoot } = bootRulesOf(efuses);
  if (flashEncryption !== 'off') {
    return { mark: 'locked', text: 'A cable reads only encrypted flash', fuses: fuses(efuses, off) };
  }
  return {
    mark: 'open',
    text:
      secureBoot === 'off'
        ? 'Anyone with a cable can read and replace everything on it'
        : 'Anyone with a cable can read everything on it, and replace all that is not signed',
    fuses: fuses(efuses, off),
  };
}

function encryptionLine(efuses: Efuses): SecurityLine {
  const { flashEncryption, encryptsDownloads } = bootRulesOf(efuses);
  const counter = efuses.get('FLASH_CRYPT_CNT') === null ? 'SPI_BOOT_CRYPT_CNT' : 'FLASH_CRYPT_CNT';
  const manual = efuses.chip === 'esp32' ? 'DISABLE_DL_ENCRYPT' : 'DIS_DOWNLOAD_MANUAL_ENCRYPT';
  const shown = fuses(efuses, counter, ...(flashEncryption === 'off' ? [] : [manual]));
  const burnt = bitCountOf(efuses.number(counter) ?? 0);
  const left = efuses.get(counter)?.writable === true ? counterBits[counter] - burnt : 0;
  switch (flashEncryption) {
    case 'off':
      return {
        mark: 'open',
        text:
          burnt === 0
            ? 'Flash is not encrypted'
            : 'Flash encryption was on once and is off: what was encrypted no longer starts',
        fuses: shown,
      };
    case 'development':
      return {
        mark: 'locked',
        text: encryptsDownloads
          ? `Flash is encrypted, in development mode: the chip encrypts new firmware that comes by cable. ${offText(left)}`
          : `Flash is encrypted, in development mode, but no key for new firmware was found. ${offText(left)}`,
        fuses: shown,
      };
    case 'release':
      return {
        mark: 'locked',
        text: 'Flash is encrypted, in release mode: only firmware that its maker encrypted, or an update over the air, starts',
        fuses: shown,
      };
  }
}

function offText(left: number): string {
  // Each change burns one bit, so encryption can be turned off while a bit is left.
  return left > 0 ? 'Encryption can still be turned off' : 'Encryption can no longer be turned off';
}

function signatureLines(efuses: Efuses): (SecurityLine | null)[] {
  const rules = bootRulesOf(efuses);
  const { secureBoot, keys } = rules;
  if (secureBoot === 'off') {
    const name = efuses.chip === 'esp32' ? ['ABS_DONE_0', 'ABS_DONE_1'] : ['SECURE_BOOT_EN'];
    return [{ mark: 'open', text: 'It starts any firmware: no signature is asked for', fuses: fuses(efuses, ...name) }];
  }
  if (secureBoot === 'v1') {
    return [
      {
        mark: 'locked',
        text: 'Secure Boot V1 is on: it starts only the bootloader of its maker, and apps that this bootloader accepts',
        fuses: fuses(efuses, 'ABS_DONE_0'),
      },
    ];
  }
  const valid = keys.filter(({ revoked }) => !revoked);
  const name = efuses.chip === 'esp32' ? 'ABS_DONE_1' : 'SECURE_BOOT_EN';
  return [
    {
      mark: 'locked',
      text: noKeyText(rules) ?? `It starts only firmware signed with ${keysText(valid)}`,
      fuses: fuses(efuses, name),
    },
    isSet(efuses, 'SECURE_BOOT_AGGRESSIVE_REVOKE')
      ? {
          mark: 'warning',
          text: 'A key is revoked as soon as one bootloader fails its check',
          fuses: fuses(efuses, 'SECURE_BOOT_AGGRESSIVE_REVOKE'),
        }
      : null,
  ];
}

function keysText(keys: readonly BootKey[]): string {
  const shown = keys.flatMap(({ digest }) => (digest === null ? [] : [digestText(digest)]));
  const rest = keys.length - shown.length;
  const known = `${shown.length === 1 ? 'the key' : 'one of the keys'} whose digest starts with ${shown.join(' or ')}`;
  const unknown = rest === 1 ? 'a key that cannot be read' : `one of ${rest} keys that cannot be read`;
  return [...(shown.length > 0 ? [known] : []), ...(rest > 0 ? [unknown] : [])].join(', or ');
}

function debuggerLine(efuses: Efuses): SecurityLine {
  const hard = ['JTAG_DISABLE', 'HARD_DIS_JTAG', 'DIS_PAD_JTAG'].find((name) => efuses.get(name) !== null);
  const pinsOff = hard !== undefined && isSet(efuses, hard);
  const hasUsb = efuses.get('DIS_USB_JTAG') !== null;
  const usbOff = !hasUsb || isSet(efuses, 'DIS_USB_JTAG');
  // An odd number of bits turns JTAG off until a program unlocks it.
  const soft = bitCountOf(efuses.number('SOFT_DIS_JTAG') ?? 0) % 2 === 1;
  const shown = fuses(
    efuses,
    ...(hasUsb ? ['DIS_USB_JTAG'] : []),
    ...(hard === undefined ? [] : [hard]),
    ...(soft ? ['SOFT_DIS_JTAG'] : []),
  );
  if (pinsOff && usbOff) {
    return { mark: 'locked', text: 'No debugger can be attached. This cannot be undone', fuses: shown };
  }
  if (soft) {
    return {
      mark: 'locked',
      text: 'A debugger can be attached only once its program allows it with a key',
      fuses: shown,
    };
  }
  const ways = [...(hasUsb && !usbOff ? ['by USB'] : []), ...(pinsOff ? [] : ['by pins'])];
  return { mark: 'open', text: `A debugger can be attached ${ways.join(' and ')}`, fuses: shown };
}

function keyLines(efuses: Efuses): (SecurityLine | null)[] {
  if (efuses.chip === 'esp32') {
    return [blockKeyLine(efuses, 'BLOCK1', 'flash encryption'), blockKeyLine(efuses, 'BLOCK2', 'secure boot')];
  }
  if (efuses.chip === 'esp32c2') {
    return [
      blockKeyLine(efuses, 'BLOCK_KEY0_LOW_128', 'flash encryption'),
      blockKeyLine(efuses, 'BLOCK_KEY0_HI_128', 'secure boot'),
    ];
  }
  const revoked = [0, 1, 2].filter((index) => isSet(efuses, `SECURE_BOOT_KEY_REVOKE${index}`)).length;
  const used = Array.from({ length: KEY_BLOCKS }, (_, index) => index).filter((index) => {
    return efuses.number(`KEY_PURPOSE_${index}`) !== 0 || keyStateOf(efuses.get(`BLOCK_KEY${index}`)) !== 'empty';
  });
  const names = used.map((index) => {
    const purpose = efuses.get(`KEY_PURPOSE_${index}`)?.text ?? '';
    const digest = /^SECURE_BOOT_DIGEST(\d)$/.exec(purpose)?.[1];
    const isRevoked = digest !== undefined && isSet(efuses, `SECURE_BOOT_KEY_REVOKE${digest}`);
    return purposeText(purpose) + (isRevoked ? '' : stateNotes[keyStateOf(efuses.get(`BLOCK_KEY${index}`))]);
  });
  const tail = revoked === 0 ? '' : `, ${revoked === 1 ? '1 boot key was' : `${revoked} boot keys were`} revoked`;
  return [
    {
      mark: 'key',
      text:
        used.length === 0
          ? `All ${KEY_BLOCKS} key slots are free${tail}`
          : `${used.length} of ${KEY_BLOCKS} key slots ${used.length === 1 ? 'is' : 'are'} used: ${names.join(', ')}${tail}`,
      fuses: used.length === 0 ? 'KEY_PURPOSE_0…5 0' : fuses(efuses, ...used.map((index) => `KEY_PURPOSE_${index}`)),
    },
  ];
}

/** Notes on a key slot whose purpose is set or whose block is not empty. */
const stateNotes: Readonly<Record<KeyState, string>> = {
  empty: ' (no key is burnt)',
  damaged: ' (damaged)',
  burnt: '',
  hidden: '',
};

const purposeTexts: Readonly<Record<string, string>> = {
  USER: 'data of its program',
  XTS_AES_128_KEY: 'flash encryption',
  XTS_AES_256_KEY_1: 'flash encryption, first half',
  XTS_AES_256_KEY_2: 'flash encryption, second half',
  HMAC_DOWN_ALL: 'HMAC for JTAG and digital signatures',
  HMAC_DOWN_JTAG: 'unlocking JTAG',
  HMAC_DOWN_DIGITAL_SIGNATURE: 'digital signatures',
  HMAC_UP: 'HMAC of its program',
  SECURE_BOOT_DIGEST0: 'first boot key',
  SECURE_BOOT_DIGEST1: 'second boot key',
  SECURE_BOOT_DIGEST2: 'third boot key',
};

function purposeText(name: string): string {
  return purposeTexts[name] ?? name;
}

function blockKeyLine(efuses: Efuses, name: string, purpose: string): SecurityLine {
  const block = efuses.get(name);
  const texts: Readonly<Record<KeyState, string>> = {
    burnt: 'used',
    hidden: 'used, and hidden from reading',
    damaged: 'damaged: its bits could not be corrected',
    empty: block?.writable === false ? 'empty, and can no longer be written' : 'free',
  };
  return {
    mark: 'key',
    text: `The key block for ${purpose} is ${texts[keyStateOf(block)]}`,
    fuses: name,
  };
}

function versionLines(efuses: Efuses): (SecurityLine | null)[] {
  const { secureVersion } = bootRulesOf(efuses);
  return [
    secureVersion === 0
      ? null
      : {
          mark: 'locked',
          text: `A bootloader with rollback protection starts no app of a security version below ${secureVersion}`,
          fuses: fuses(efuses, 'SECURE_VERSION'),
        },
  ];
}

function usbLines(efuses: Efuses): (SecurityLine | null)[] {
  const off = ['DIS_USB_SERIAL_JTAG', 'DIS_USB', 'DIS_USB_OTG'].filter((name) => isSet(efuses, name));
  const download = ['DIS_USB_SERIAL_JTAG_DOWNLOAD_MODE', 'DIS_USB_OTG_DOWNLOAD_MODE', 'DIS_USB_DOWNLOAD_MODE'];
  const downloadOff = download.filter((name) => isSet(efuses, name));
  return [
    off.length === 0
      ? null
      : { mark: 'locked', text: 'A USB port of the chip is turned off', fuses: fuses(efuses, ...off) },
    downloadOff.length === 0
      ? null
      : {
          mark: 'locked',
          text: "It cannot be written through a USB port of the chip, only through its UART's pins or the other port",
          fuses: fuses(efuses, ...downloadOff),
        },
  ];
}

function messageLine(efuses: Efuses): SecurityLine | null {
  if (efuses.chip === 'esp32') {
    return isSet(efuses, 'CONSOLE_DEBUG_DISABLE')
      ? {
          mark: 'fact',
          text: 'The BASIC console of the ROM is turned off',
          fuses: fuses(efuses, 'CONSOLE_DEBUG_DISABLE'),
        }
      : null;
  }
  const shown = fuses(efuses, 'UART_PRINT_CONTROL');
  switch (efuses.number('UART_PRINT_CONTROL')) {
    case 0:
      return { mark: 'open', text: 'The ROM prints its boot messages', fuses: shown };
    case 1:
    case 2:
      return { mark: 'fact', text: 'The ROM prints its boot messages if a pin asks for them at reset', fuses: shown };
    default:
      return { mark: 'locked', text: 'The ROM prints no boot messages, so a failed start is silent', fuses: shown };
  }
}

function voltageLines(efuses: Efuses): (SecurityLine | null)[] {
  const [force, on, high] =
    efuses.chip === 'esp32'
      ? ['XPD_SDIO_FORCE', 'XPD_SDIO_REG', 'XPD_SDIO_TIEH']
      : ['VDD_SPI_FORCE', 'VDD_SPI_XPD', 'VDD_SPI_TIEH'];
  if (efuses.get(force) === null) {
    return [null];
  }
  const shown = fuses(efuses, force, on, high);
  if (!isSet(efuses, force)) {
    const pin = efuses.chip === 'esp32' ? 'GPIO12' : 'GPIO45';
    return [{ mark: 'fact', text: `Flash voltage: chosen by ${pin} at reset (high 1.8 V, low 3.3 V)`, fuses: shown }];
  }
  const voltage = isSet(efuses, high) ? '3.3 V' : '1.8 V';
  const text = isSet(efuses, on)
    ? `Flash voltage: always ${voltage}`
    : 'Flash voltage: from outside, the regulator is off';
  return [{ mark: 'fact', text, fuses: shown }];
}

function identityLines(efuses: Efuses): (SecurityLine | null)[] {
  const [major, minor] = [efuses.number('WAFER_VERSION_MAJOR'), efuses.number('WAFER_VERSION_MINOR')];
  const chipPackage = efuses.number('PKG_VERSION');
  const mac = efuses.get('MAC')?.text ?? '';
  const custom = efuses.get('CUSTOM_MAC');
  return [
    {
      mark: 'fact',
      text: `Chip revision v${major ?? 0}.${minor ?? 0}, package ${chipPackage ?? 0}`,
      fuses: `WAFER_VERSION ${major ?? 0}.${minor ?? 0} · PKG_VERSION ${chipPackage ?? 0}`,
    },
    {
      mark: /invalid|ERRORS/.test(mac) ? 'warning' : 'fact',
      text: `MAC address ${mac}`,
      fuses: 'MAC',
    },
    custom?.isBurnt === true
      ? { mark: 'fact', text: `MAC address of its maker ${custom.text}`, fuses: 'CUSTOM_MAC' }
      : null,
  ];
}

function calibrationLine(efuses: Efuses): SecurityLine {
  const adc = efuses.values.filter(({ field, isBurnt }) => field.name.startsWith('ADC') && isBurnt);
  const vref = efuses.get('ADC_VREF');
  const count = adc.filter(({ field }) => field.name !== 'ADC_VREF').length;
  const [first] = adc;
  if (count === 0 && vref?.isBurnt === true) {
    return { mark: 'fact', text: `ADC calibration: reference voltage ${vref.text} mV`, fuses: 'ADC_VREF' };
  }
  return first === undefined
    ? { mark: 'fact', text: 'ADC calibration: none, so readings vary from board to board', fuses: '' }
    : { mark: 'fact', text: `ADC calibration: ${count} values`, fuses: `${first.field.name}, …` };
}

function errorLines(efuses: Efuses): SecurityLine[] {
  return efuses.errors.map(({ name, errors, failed }) => ({
    mark: 'warning',
    text: failed
      ? `${name} has coding errors that the chip could not correct: its values may be wrong`
      : `${name} has ${errors === 1 ? '1 coding error' : `${errors} coding errors`}, which the chip corrected`,
    fuses: name,
  }));
}

/**
 * Says what a chip in Secure Download Mode reports. Its eFuses cannot be read ("Serial Protocol", GET_SECURITY_INFO;
 * flags as in esptool, `SECURITY_INFO_FLAG_MAP`).
 */
export function reportLines(report: EspSecurityReport): SecurityLine[] {
  const flag = (bit: number) => ((report.flags >>> bit) & 1) === 1;
  const encrypted = bitCountOf(report.cryptCount) % 2 === 1;
  const revoked = [3, 4, 5].filter(flag).length;
  const lines: (SecurityLine | null)[] = [
    {
      mark: 'locked',
      text: 'It can be written by cable, but not read. Its eFuses cannot be read either; this is all that it reports',
      fuses: 'ENABLE_SECURITY_DOWNLOAD 1',
    },
    encrypted
      ? { mark: 'locked', text: 'Flash is encrypted', fuses: `SPI_BOOT_CRYPT_CNT ${report.cryptCount}` }
      : { mark: 'open', text: 'Flash is not encrypted', fuses: `SPI_BOOT_CRYPT_CNT ${report.cryptCount}` },
    flag(0)
      ? { mark: 'locked', text: 'It starts only signed firmware. Its keys cannot be read', fuses: 'SECURE_BOOT_EN 1' }
      : { mark: 'open', text: 'It starts any firmware: no signature is asked for', fuses: 'SECURE_BOOT_EN 0' },
    flag(1)
      ? {
          mark: 'warning',
          text: 'A key is revoked as soon as one bootloader fails its check',
          fuses: 'SECURE_BOOT_AGGRESSIVE_REVOKE 1',
        }
      : null,
    revoked > 0
      ? {
          mark: 'key',
          text: revoked === 1 ? '1 boot key was revoked' : `${revoked} boot keys were revoked`,
          fuses: [0, 1, 2].map((index) => `SECURE_BOOT_KEY_REVOKE${index} ${flag(3 + index) ? 1 : 0}`).join(' · '),
        }
      : null,
    flag(7)
      ? { mark: 'locked', text: 'No debugger can be attached by pins. This cannot be undone', fuses: 'DIS_PAD_JTAG 1' }
      : null,
    flag(6)
      ? { mark: 'locked', text: 'JTAG is turned off until its program unlocks it', fuses: 'SOFT_DIS_JTAG 1' }
      : null,
    flag(8) ? { mark: 'locked', text: 'A USB port of the chip is turned off', fuses: 'DIS_USB 1' } : null,
  ];
  return lines.filter((line) => line !== null);
}
