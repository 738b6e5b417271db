/** Offers the files of MicroPython and CircuitPython before a plan that moves or takes them. */
import { useState } from 'react';
import { saveFile } from '../../../../../shared/files/save-file.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { Notice } from '../../../../../shared/ui/notice.tsx';
import { toast } from '../../../../../shared/ui/toast.ts';
import { joined } from '../../../answer/plan-words.ts';
import { getFlasher } from '../../../store/flasher-line.ts';
import { useFlash, useFlasher } from '../../../store/flasher-store.ts';
import styles from '../../../write/finding-list.module.css';

/** Warnings about files that the write takes, and whether it puts all of them back. */
const isPutBack: Readonly<Record<string, boolean>> = {
  'puts-files-back': true,
  'files-left-out': false,
  'files-not-put-back': false,
};

export function SavedFilesOffer() {
  const port = useFlasher(({ selected }) => selected);
  const plan = useFlash((flash) => flash.plan);
  /** The plan whose files were saved, and their names. */
  const [saved, setSaved] = useState<{ readonly plan: unknown; readonly names: readonly string[] } | null>(null);
  const told = plan?.warnings.filter(({ code }) => code in isPutBack) ?? [];
  if (plan === null || plan.refusals.length > 0 || told.length === 0) {
    return null;
  }
  const save = async () => {
    try {
      const archives = await getFlasher().call('savedFiles', port);
      for (const { name, content } of archives) {
        saveFile(content, name);
      }
      setSaved({ plan, names: archives.map(({ name }) => name) });
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), { level: 'error' });
    }
  };
  const keepsAll = told.every(({ code }) => isPutBack[code]);
  return (
    <div className={`stack ${styles['list']}`}>
      {saved?.plan === plan ? (
        <Notice level="success" title="The files of the board are saved.">
          {joined(saved.names)} {saved.names.length === 1 ? 'is' : 'are'} in your downloads.
        </Notice>
      ) : (
        <Notice
          level={keepsAll ? 'info' : 'warning'}
          title={keepsAll ? 'The write moves files of the board.' : 'The write takes files of the board.'}
          action={
            <Button size="sm" onClick={() => void save()}>
              Save the files first
            </Button>
          }
        >
          {keepsAll
            ? 'They are put back. If the board is unplugged in between, they are only here.'
            : 'Those that are not put back are in the archive only.'}
        </Notice>
      )}
    </div>
  );
}
