/** ELF files may be dropped anywhere on the terminal; while one is held over it, the page says what happens. */
import { useEffect, useState } from 'react';
import { addSymbolFile } from '../../../../workbench/crash/symbol-files.ts';
import { showTool } from '../open-tool.ts';
import styles from './elf-drop.module.css';

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;

export function ElfDrop() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const listen = (type: 'dragenter' | 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) => {
      const listener = (event: DragEvent) => {
        if (hasFiles(event)) {
          act(event);
        }
      };
      window.addEventListener(type, listener, { signal });
    };
    listen('dragenter', () => setOver(true));
    listen('dragover', (event) => {
      // Without this the browser would leave the page and show the file.
      event.preventDefault();
      if (event.dataTransfer !== null) {
        event.dataTransfer.dropEffect = 'copy';
      }
    });
    listen('dragleave', (event) => {
      if (event.relatedTarget === null) {
        setOver(false);
      }
    });
    listen('drop', (event) => {
      const taken = event.defaultPrevented;
      event.preventDefault();
      setOver(false);
      if (taken) {
        return;
      }
      for (const file of event.dataTransfer?.files ?? []) {
        void addSymbolFile(file);
      }
      showTool('crashes');
    });
    return () => ending.abort();
  }, []);
  return over ? (
    <div className={styles['over']}>
      <p>Drop the ELF file of the firmware: addresses of crashes become functions, files and lines.</p>
    </div>
  ) : null;
}
