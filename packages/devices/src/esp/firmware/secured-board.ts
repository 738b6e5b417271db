/** A demo board as a product would be in development: secure boot 2 with one key, and flash encryption that can still be undone. */
import { espChips } from '../chips/index.ts';
import type { EspDeviceOptions } from '../options.ts';
import { demoContent } from './demo-content.ts';
import { demoKeyDigest, signedImage } from './signed-image.ts';

const flashSize = 0x400000;

/** Returns the options of an ESP32-C3 with 4 MiB of flash that starts only signed programs. */
export function securedBoard(): Pick<EspDeviceOptions, 'flash' | 'security'> {
  return {
    security: { flashEncryption: 'development', secureBoot: true, secureBootDigest: demoKeyDigest() },
    flash: { size: flashSize, content: demoContent(espChips.esp32c3, flashSize, signedImage) },
  };
}
