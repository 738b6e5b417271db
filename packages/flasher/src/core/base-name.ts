/** Returns the name of a file without its folders, whose separators are those of any system. */
export function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

/** Returns the offset in a name such as `app-0x10000.bin`; null if there is no offset. */
export function offsetByName(path: string): number | null {
  const found = /(?:^|[^\da-z])0x([\da-f]{1,8})(?=[^\da-z]|$)/i.exec(baseName(path));
  return found?.[1] === undefined ? null : Number.parseInt(found[1], 16);
}
