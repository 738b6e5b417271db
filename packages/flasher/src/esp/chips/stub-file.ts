/**
 * Decodes stubs of `esptool-js` 0.7.0 (esp-flasher-stub, Apache-2.0): JSON files with Base64 in them. Each chip
 * imports its own stub, so that a page loads only that one.
 */
import type { Stub } from './chip.ts';

export interface StubFile {
  readonly entry: number;
  readonly text: string;
  readonly text_start: number;
  readonly data: string;
  readonly data_start: number;
}

export function stubOf(file: { readonly default: StubFile }): Stub {
  const { entry, text, text_start, data, data_start } = file.default;
  return {
    entry,
    text: fromBase64(text),
    textAddress: text_start,
    data: fromBase64(data),
    dataAddress: data_start,
  };
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
