/** A file on the command line, alone or with its place in the flash. */

/** Splits `0x10000=app.bin`. A path alone has no address. */
export function placedFile(text: string): { readonly address: string | null; readonly path: string } {
  const [, address = null, path = text] = /^(0x[\da-f]+)=(.+)$/i.exec(text) ?? [];
  return { address, path };
}
