/** Opens a backup, checks it against the board, and plans what is chosen of it. */
import {
  backupOriginText,
  backupRefusal,
  FLASH_PART,
  isChosenFirst,
  type OpenedBackup,
  openBackup,
  ownRanges,
  placeFault,
  type SavedPart,
} from '@wirebench/flasher/esp/backup';
import type { PortNumber } from '@wirebench/serial';
import { FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import type { EspFacts } from '../../../../../../protocol/esp-types.ts';
import { sizeText } from '../../../../../../shared/format/bytes.ts';
import { addressText } from '../../../../../../shared/format/hex.ts';
import { Button } from '../../../../../../shared/ui/button.tsx';
import { Dialog } from '../../../../../../shared/ui/dialog.tsx';
import { Notice } from '../../../../../../shared/ui/notice.tsx';
import { Switch } from '../../../../../../shared/ui/switch.tsx';
import styles from '../save/save-dialog.module.css';
import { planRestoreSet } from './backup-actions.ts';

export interface RestoreDialogProps {
  readonly port: PortNumber;
  readonly board: EspFacts;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function RestoreDialog({ port, board, open, onClose }: RestoreDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Restore a backup">
      {open ? <RestoreForm port={port} board={board} onClose={onClose} /> : null}
    </Dialog>
  );
}

function RestoreForm({ port, board, onClose }: Omit<RestoreDialogProps, 'open'>) {
  const [given, setGiven] = useState<{ readonly file: File; readonly opened: OpenedBackup } | null>(null);
  const [isReading, setReading] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const open = async (file: File) => {
    setReading(true);
    setGiven({ file, opened: await openFile(file, board) });
    setReading(false);
  };
  const opened = given?.opened ?? null;
  const refusal =
    opened === null
      ? null
      : opened.ok
        ? backupRefusal(opened.set, { chip: board.info.chip, flashSize: board.flash.size })
        : opened.why;
  return (
    <div className={`stack apart ${styles['form']}`}>
      <p>The backup becomes part of the plan. Nothing is written before you press Write, and only what differs.</p>
      <Button icon={<FileUp />} busy={isReading} onClick={() => input.current?.click()}>
        Choose a backup
      </Button>
      <input
        ref={input}
        type="file"
        accept=".zip,.bin"
        hidden
        aria-label="Backup"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (file !== undefined) {
            void open(file);
          }
        }}
      />
      <div role="status">
        {refusal === null ? null : (
          <Notice level="error" title={refusal}>
            Choose another backup, or connect the board that it is of.
          </Notice>
        )}
      </div>
      {given === null || opened === null || !opened.ok || refusal !== null ? null : (
        <Choice key={given.file.name} port={port} board={board} file={given.file} opened={opened} onClose={onClose} />
      )}
    </div>
  );
}

type OpenedSet = Extract<OpenedBackup, { ok: true }>;

async function openFile(file: File, board: EspFacts): Promise<OpenedBackup> {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    return { ok: false, why: 'The file could not be read. Choose it again.' };
  }
  return openBackup(bytes, board);
}

interface ChoiceProps extends Omit<RestoreDialogProps, 'open'> {
  readonly file: File;
  readonly opened: OpenedSet;
}

function Choice({ port, board, file, opened, onClose }: ChoiceProps) {
  const { set, isChecked } = opened;
  const [chosen, setChosen] = useState<readonly SavedPart[]>(() =>
    set.parts.filter((part) => isChosenFirst(part, set, board) && placeFault(part, board, false) === null),
  );
  const isOther = isChecked && set.board !== board.id;
  const [spares, setSpares] = useState(isOther);
  const own = ownRanges(board);
  const isWhole = set.parts.some(({ name }) => name === FLASH_PART);
  const withTable = chosen.some(({ type }) => type === 3);
  const restored = chosen.filter((part) => placeFault(part, board, withTable) === null);
  return (
    <>
      <p>{backupOriginText(opened, board)}</p>
      <ul className={styles['list']}>
        {set.parts.map((part) => {
          const fault = placeFault(part, board, withTable);
          return (
            <li key={part.name}>
              <label className="row">
                <input
                  type="checkbox"
                  checked={fault === null && chosen.includes(part)}
                  disabled={fault !== null}
                  onChange={() =>
                    setChosen(chosen.includes(part) ? chosen.filter((one) => one !== part) : [...chosen, part])
                  }
                />
                {part.name}
                <span className="small">
                  {sizeText(part.size)} at {addressText(part.offset)}
                  {fault === null ? '' : `. ${fault}`}
                </span>
              </label>
            </li>
          );
        })}
      </ul>
      {isWhole && own.length > 0 ? (
        <Switch
          label={`Leave ${own.map(({ name }) => name).join(', ')} of this board alone`}
          checked={spares}
          onChange={setSpares}
        />
      ) : null}
      {isOther && !isWhole ? (
        <p className="small">Settings and radio calibration of this board stay, unless you choose them above.</p>
      ) : null}
      <div className="row at-end">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="primary"
          disabled={restored.length === 0}
          onClick={() => {
            planRestoreSet(port, { parts: restored, spared: spares ? own : [], file, canErase: board.canErase });
            onClose();
          }}
        >
          Add to the plan
        </Button>
      </div>
    </>
  );
}
