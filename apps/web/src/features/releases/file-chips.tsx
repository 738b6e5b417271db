import type { FirmwareFile } from '@wirebench/contract';
import { sizeText } from '../../shared/format/bytes.ts';
import { offsetText } from '../../shared/format/hex.ts';
import styles from './version-row.module.css';

/** Files in address order. */
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
