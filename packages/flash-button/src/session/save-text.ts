/** Saves a text file, like a download. */
import { make } from '../element/dom.ts';

/** Time after which the browser has taken the file, in milliseconds. */
const TAKEN = 60_000;

export function saveText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  make('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), TAKEN);
}
