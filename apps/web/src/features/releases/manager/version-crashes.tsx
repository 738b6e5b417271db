import type { Project, Version } from '@wirebench/contract';
import { FileWarning } from 'lucide-react';
import { useState } from 'react';
import { sizeText } from '../../../shared/format/bytes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { countText } from '../count-text.ts';
import { CrashesDialog } from '../loaded-dialogs.ts';
import styles from './version-crashes.module.css';
import rowStyles from './version-row.module.css';

export interface VersionCrashesProps {
  readonly project: Project;
  readonly version: Version;
}

/** Shows whether a version has its ELF file, and the number of its crashes. Renders nothing without either. */
export function VersionCrashes({ project, version }: VersionCrashesProps) {
  const { version: number, elf, crashes = 0 } = version;
  const [open, setOpen] = useState(false);
  if (elf === undefined && crashes === 0) {
    return null;
  }
  return (
    <div className={styles['line']}>
      {elf === undefined ? null : (
        <ul className={rowStyles['files']} aria-label="ELF file">
          <li>
            <b>ELF</b> <span>{elf.fileName}</span> <span className={rowStyles['size']}>{sizeText(elf.size)}</span>{' '}
            <span className={rowStyles['size']}>only you</span>
          </li>
        </ul>
      )}
      {crashes === 0 ? null : (
        <Button size="sm" variant="quiet" icon={<FileWarning />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {countText(crashes)} {crashes === 1 ? 'crash' : 'crashes'} reported{' '}
          <span className="visually-hidden">of version {number}</span>
        </Button>
      )}
      <CrashesDialog project={project} version={version} open={open} onClose={() => setOpen(false)} />
    </div>
  );
}
