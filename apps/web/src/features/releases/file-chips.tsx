import type { FirmwareFile } from '@wirebench/contract';
import { offsetText, sizeText } from '../../workbench/flasher/quantities.ts';
import styles from './file-chips.module.css';

/** The files of a version in the order of their addresses. */
export function FileChips({ files }: { readonly files: readonly FirmwareFile[] }) {
  return (
    <ul className={styles['files']} aria-label="Files">
      {files.map(({ _id, fileName, offset, size }) => (
        <li key={_id}>
          <b>{offsetText(offset)}</b> <span>{fileName}</span> <span className={styles['size']}>{sizeText(size)}</span>
        </li>
      ))}
    </ul>
  );
}
