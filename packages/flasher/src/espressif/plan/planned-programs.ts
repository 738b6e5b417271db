/** Finds the programs in the files of a plan. */
import { orNull } from '../../images/image-error.ts';
import { roleOf } from '../images/description.ts';
import { type EspImage, espImageMagic, readEspImage } from '../images/esp-image.ts';
import type { KnownFile } from './known-file.ts';

/** A program in a file. */
export interface PlannedProgram {
  readonly file: string;
  readonly role: 'app' | 'bootloader';
  /** Bytes from the first byte of the image on. */
  readonly bytes: Uint8Array;
  readonly image: EspImage;
  /** True: a digest of Secure Boot V1 precedes the image. */
  readonly hasDigest: boolean;
}

/** Returns the programs in a file: one, or those of a merged image. Damage is found elsewhere. */
export function programsIn({ name, part, bytes }: KnownFile): PlannedProgram[] {
  if (part.kind === 'app') {
    return [{ file: name, role: 'app', bytes, image: part.image, hasDigest: false }];
  }
  if (part.kind === 'bootloader') {
    const own = bytes.subarray(part.position);
    return [{ file: name, role: 'bootloader', bytes: own, image: part.image, hasDigest: part.hasDigest }];
  }
  return part.kind !== 'merged'
    ? []
    : part.parts.flatMap(({ offset }): PlannedProgram[] => {
        const own = bytes.subarray(offset - part.offset);
        const image = own[0] === espImageMagic ? orNull(() => readEspImage(own)) : null;
        if (image === null) {
          return [];
        }
        const role = roleOf(own, image) === 'app' ? 'app' : 'bootloader';
        return [{ file: name, role, bytes: own, image, hasDigest: false }];
      });
}
