/** Asks what is saved as one file, and in which format. */
import type { MergePart } from '@wirebench/flasher/esp/merge';
import type { PortNumber } from '@wirebench/serial';
import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { EspFacts } from '../../../../../../protocol/esp-types.ts';
import { memoryText } from '../../../../../../shared/format/bytes.ts';
import { Button } from '../../../../../../shared/ui/button.tsx';
import { Dialog } from '../../../../../../shared/ui/dialog.tsx';
import { Notice } from '../../../../../../shared/ui/notice.tsx';
import { Segmented } from '../../../../../../shared/ui/segmented.tsx';
import { Switch } from '../../../../../../shared/ui/switch.tsx';
import { toast } from '../../../../../../shared/ui/toast.ts';
import { useCanRead } from '../../../../board/use-can-read.ts';
import { useFlash } from '../../../../store/flasher-store.ts';
import { boardParts, type OneFileFormat, paddedBy, planParts, saveOneFile } from './one-file.ts';
import styles from './save-dialog.module.css';

export interface SaveDialogProps {
  readonly port: PortNumber;
  readonly board: EspFacts;
  readonly open: boolean;
  readonly onClose: () => void;
}

const listed = new Intl.ListFormat('en');

export function SaveDialog({ port, board, open, onClose }: SaveDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Save as one file">
      {open ? <SaveForm port={port} board={board} onClose={onClose} /> : null}
    </Dialog>
  );
}

function SaveForm({ port, board, onClose }: Omit<SaveDialogProps, 'open'>) {
  const hasPlan = useFlash(({ plan, phase }) => phase === 'planned' && plan !== null && plan.regions.length > 0);
  const canRead = useCanRead();
  const [source, setSource] = useState<'plan' | 'board'>(hasPlan ? 'plan' : 'board');
  const [format, setFormat] = useState<OneFileFormat>('bin');
  const [spares, setSpares] = useState(true);
  const [withLists, setWithLists] = useState(false);
  const [parts, setParts] = useState<readonly MergePart[]>([]);
  useEffect(() => {
    if (hasPlan) {
      void planParts(port).then(setParts, () => setParts([]));
    }
  }, [hasPlan, port]);
  const size = board.flash.size;
  const padded = paddedBy(source === 'plan' ? parts : [], board.table?.partitions ?? []);
  const save = async () => {
    onClose();
    const read = source === 'plan' ? await planParts(port) : size === null ? null : await boardParts(port, size);
    if (read === null || read.length === 0) {
      return;
    }
    const name = saveOneFile({
      board,
      parts: read,
      format,
      sparesSettings: spares,
      withLists,
      program: programOf(board, source),
    });
    toast(`${name} was sent to your downloads`);
  };
  return (
    <div className={`stack apart ${styles['form']}`}>
      {hasPlan ? (
        <Segmented
          label="What is saved"
          options={[
            { value: 'plan', label: 'The plan' },
            { value: 'board', label: `All ${size === null ? '' : memoryText(size)} of the board` },
          ]}
          value={source}
          onChange={setSource}
        />
      ) : (
        <p>All {size === null ? 'of the flash' : memoryText(size)} of the board is read and saved.</p>
      )}
      <Segmented
        label="Format"
        options={[
          { value: 'bin', label: '.bin' },
          { value: 'hex', label: '.hex' },
          { value: 'uf2', label: '.uf2' },
        ]}
        value={format}
        onChange={setFormat}
      />
      {format === 'bin' ? null : (
        <Switch label="Leave out stored settings (NVS)" checked={spares} onChange={setSpares} />
      )}
      <Switch
        label="With flasher_args.json and a manifest for ESP Web Tools, as a zip"
        checked={withLists}
        onChange={setWithLists}
      />
      {format === 'bin' && source === 'plan' ? (
        <Notice level={padded.settings ? 'warning' : 'info'}>
          {padded.names.length === 0
            ? 'Gaps between the files are filled with FF. A tool that writes this file erases what is there.'
            : `Gaps are filled with FF: a tool that writes this file erases ${listed.format(padded.names)}${padded.settings ? ', with stored settings such as Wi-Fi' : ''}. A .hex or .uf2 file leaves them alone.`}
        </Notice>
      ) : null}
      {source === 'board' && (format === 'bin' || !spares) ? (
        <Notice level="warning">
          The file holds everything on the board, passwords of Wi-Fi and services included.
        </Notice>
      ) : null}
      <div className="row at-end">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="primary"
          icon={<Download />}
          disabled={!canRead || (source === 'board' && size === null)}
          onClick={() => void save()}
        >
          {source === 'board' ? 'Read and save' : 'Save'}
        </Button>
      </div>
    </div>
  );
}

/** Returns the program's name; null for a plan, whose app may be another one. */
function programOf({ heads = [], startsFrom, table }: EspFacts, source: 'plan' | 'board') {
  const place = table?.partitions.find(({ name }) => name === startsFrom);
  const described = heads.find(({ offset }) => offset === place?.offset)?.described ?? null;
  return source === 'plan' || described === null || !('project' in described)
    ? null
    : { name: described.project, version: described.version };
}
