/** Hands a file to the browser's downloads. */

/** Lifetime of a file's object URL after the click, in milliseconds. The download has begun long before. */
const addressLifetime = 60_000;

export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), addressLifetime);
}
