/** The identity of a chip: its options, checked and completed. */
import { createRandom } from '../random.ts';
import type { EspChip } from './chips/chip.ts';
import { espChips } from './chips/index.ts';
import type { EspDeviceOptions, EspSecurity } from './options.ts';

/** Organizationally unique identifier of Espressif Systems: the first half of its MAC addresses. */
const espressifOui = [0x24, 0x0a, 0xc4];
const kibibyte = 1_024;
const leastFlash = 256 * kibibyte;
const maxFlash = 128 * kibibyte * kibibyte;
/** GigaDevice GD25Q. The manufacturer is the lowest byte, because RDID sends it first. */
const usualFlashKind = 0x40c8;

/**
 * Completes the options with defaults.
 * @throws Error if no chip exists with these options.
 */
export function completed(options: EspDeviceOptions) {
  const chip: EspChip = espChips[options.chip];
  const { connection = 'uart', crystal = chip.crystals[0] ?? 40, seed = 1 } = options;
  const security: Required<EspSecurity> = {
    flashEncryption: options.security?.flashEncryption ?? 'off',
    secureBoot: options.security?.secureBoot ?? false,
    secureBootDigest: options.security?.secureBootDigest ?? new Uint8Array(32),
    secureDownload: options.security?.secureDownload ?? false,
  };
  const usualSize = options.chip === 'esp8285' ? 1_024 * kibibyte : 4_096 * kibibyte;
  const { size = usualSize, kind = usualFlashKind, hashBeyond = 'refused', content = 'factory' } = options.flash ?? {};
  if (connection === 'usb-jtag' && !chip.usbJtag) {
    throw new Error(`${chip.name} has no USB-JTAG.`);
  }
  if (!chip.crystals.includes(crystal)) {
    throw new Error(`${chip.name} does not run on a crystal of ${crystal} MHz.`);
  }
  if (size < leastFlash || size > maxFlash || Math.log2(size) % 1 !== 0) {
    throw new Error(`A flash of ${size} bytes does not exist.`);
  }
  const { flashEncryption, secureBoot, secureDownload } = security;
  if (chip.generation === 'esp8266' && (flashEncryption !== 'off' || secureBoot || secureDownload)) {
    throw new Error(`${chip.name} has no security fuses.`);
  }
  return {
    chip,
    connection,
    crystal,
    seed,
    security,
    rollback: options.rollback ?? false,
    calibration: options.calibration ?? 'none',
    revision: options.revision ?? chip.revision,
    mac: options.mac === undefined ? macOf(seed, chip) : parseMac(options.mac),
    flash: { size, kind, hashBeyond, content },
  };
}

export type EspIdentity = ReturnType<typeof completed>;

function macOf(seed: number, chip: EspChip): Uint8Array {
  const random = createRandom(seed, `mac of ${chip.name}`);
  return Uint8Array.from([...espressifOui, random.below(256), random.below(256), random.below(256)]);
}

function parseMac(text: string): Uint8Array {
  if (!/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(text)) {
    throw new Error(`${text} is not a MAC address.`);
  }
  return Uint8Array.from(text.split(':'), (byte) => Number.parseInt(byte, 16));
}

/** Formats as `AA:BB:CC:DD:EE:FF`. */
export function macText(mac: Uint8Array): string {
  return Array.from(mac, (byte) => byte.toString(16).padStart(2, '0'))
    .join(':')
    .toUpperCase();
}
