/** Images in app partitions that were read and checked. */
import {
  type AppDescription,
  type CheckedImage,
  checkStoredImage,
  type Partition,
  readAppDescription,
  readStoredImage,
} from '@wirebench/flasher/esp';
import type { PortNumber } from '@wirebench/serial';
import { contentsOf, keepContents } from '../../../store/board-contents.ts';
import { readParts } from '../../../store/contents-actions.ts';

/** `none`: no image begins there. */
export type StoredImage = 'none' | (CheckedImage & { readonly app: AppDescription | null });

const checked = new WeakMap<Uint8Array, Promise<StoredImage>>();

/** Returns the check of an image that was read. The same bytes are checked once. */
export function checkOf(bytes: Uint8Array): Promise<StoredImage> {
  const known = checked.get(bytes);
  if (known !== undefined) {
    return known;
  }
  const check = checkNow(bytes);
  checked.set(bytes, check);
  return check;
}

async function checkNow(bytes: Uint8Array): Promise<StoredImage> {
  const found = await checkStoredImage(bytes);
  return found === null ? 'none' : { ...found, app: readAppDescription(bytes, found.image) };
}

/** Reads the image of a partition, unless that was done since the connection. @returns Null: the read was stopped. */
export async function readImage(port: PortNumber, { name, offset, size }: Partition): Promise<StoredImage | null> {
  const { images, connection } = contentsOf(port);
  const known = images.get(offset);
  if (known !== undefined && known.connection === connection) {
    return checkOf(known.bytes);
  }
  const bytes = await readParts(port, `Reading the app in ${name}`, async (read) => {
    const image = await readStoredImage({ offset, length: size }, read);
    return image ?? new Uint8Array();
  });
  if (bytes === null) {
    return null;
  }
  keepContents(port, offset, bytes, 'images');
  return checkOf(bytes);
}
