/** List of the open ELF files of a crash, with a button to add one while it has none. */
import { FilePlus2, X } from 'lucide-react';
import { useRef } from 'react';
import { sizeText } from '../../../shared/format/bytes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { ProgressBar } from '../../../shared/ui/progress-bar.tsx';
import { addCrashFile, type ListedFile, removeSymbolFile, reopenSymbolFile, useSymbolFiles } from '../symbol-files.ts';
import styles from './symbol-files-bar.module.css';

export interface SymbolFilesBarProps {
  /** True: the page accepts these files by drop. */
  readonly canDrop?: boolean;
  /** False: the crash has its file. Only files that need a person are listed then. */
  readonly asks?: boolean;
}

export function SymbolFilesBar({ canDrop = true, asks = true }: SymbolFilesBarProps) {
  const files = useSymbolFiles().filter(({ state, outdated }) => asks || state.kind !== 'open' || outdated === true);
  const input = useRef<HTMLInputElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  return (
    <div className={styles['bar']} hidden={!asks && files.length === 0}>
      {asks ? (
        <Button ref={add} size="sm" icon={<FilePlus2 />} onClick={() => input.current?.click()}>
          Add ELF file or core dump…
        </Button>
      ) : null}
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label="ELF files of the firmware, and core dumps"
        onChange={(event) => {
          for (const file of event.currentTarget.files ?? []) {
            // Crashes of a log are listed only on pages that accept dropped files: in the terminal.
            void addCrashFile(file, { takesLogs: canDrop });
          }
          // Allows the user to choose the same file again, after the next build.
          event.currentTarget.value = '';
        }}
      />
      {files.length === 0 ? (
        canDrop ? (
          <span className={styles['hint']}>or drop them anywhere on this page, or paste the log of a crash</span>
        ) : null
      ) : (
        <ul className={styles['files']} aria-label="ELF files">
          {files.map((file) => (
            <SymbolFileChip
              key={file.id}
              file={file}
              onChoose={() => input.current?.click()}
              onRemoved={() => add.current?.focus()}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

interface SymbolFileChipProps {
  readonly file: ListedFile;
  /** Opens the dialog for files, for browsers that cannot read a file again by themselves. */
  readonly onChoose: () => void;
  /** Moves the focus, because the pressed button has been removed. */
  readonly onRemoved: () => void;
}

function SymbolFileChip({ file, onChoose, onRemoved }: SymbolFileChipProps) {
  const { id, name, size, state, outdated = false } = file;
  const openAgain = async () => {
    if (!(await reopenSymbolFile(id))) {
      onChoose();
    }
  };
  return (
    <li className={classNames(styles['file'], state.kind === 'failed' && styles['failed'])}>
      <b className={styles['name']}>{name}</b>
      {state.kind === 'reading' ? (
        <>
          <ProgressBar className={styles['progress']} label={`Reading ${name}`} done={state.fraction} />
          reading
        </>
      ) : state.kind === 'open' ? (
        <span>
          {sizeText(size)}, {state.facts.machine}
          {state.facts.hash === null ? null : <code> {state.facts.hash.slice(0, 9)}</code>}
          {state.facts.damagedUnits === 0 ? '' : `, ${state.facts.damagedUnits} damaged units left out`}
        </span>
      ) : (
        <span role="alert">{state.message}</span>
      )}
      {outdated && state.kind === 'open' ? (
        <>
          <span role="status">has changed since it was opened. The names are those of the older build.</span>
          <Button size="sm" onClick={() => void openAgain()}>
            Open it again
          </Button>
        </>
      ) : null}
      <IconButton
        label={`Remove ${name}`}
        size="sm"
        variant="quiet"
        icon={<X />}
        onClick={() => {
          removeSymbolFile(id);
          onRemoved();
        }}
      />
    </li>
  );
}
