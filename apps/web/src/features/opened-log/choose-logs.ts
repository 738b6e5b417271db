import { addLog } from '../../workbench/opened-log/log-line.ts';

/** Asks for files and opens each. Call it from a click. */
export function chooseLogs(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.addEventListener('change', () => addLogs(input.files ?? []));
  input.click();
}

export function addLogs(files: Iterable<File>): void {
  for (const file of files) {
    void addLog({ file, name: file.name, lastModified: file.lastModified });
  }
}
