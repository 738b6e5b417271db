/** Loads a picture that only its owner may read. Most pages show public ones, and need none of it. */
import { send } from '../../shared/api/api.ts';

export async function loadOwnPicture(path: string, signal: AbortSignal): Promise<string> {
  return addressOf(await (await send(path, { signal })).blob());
}

/** Returns a `data:` address, which the page's policy allows for images. */
function addressOf(bytes: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(bytes);
  });
}
