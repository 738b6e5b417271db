/** Returns the name of a file without its folders, whose separators are those of any system. */
export function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}
