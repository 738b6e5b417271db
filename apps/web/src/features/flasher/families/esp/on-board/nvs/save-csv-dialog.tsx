/** Saves the keys as CSV for Espressif's generator. Secret values are left out unless they are asked for. */
import { isSecretKey, liveEntries, type NvsStore, nvsCsv, nvsCsvText } from '@wirebench/flasher/esp/nvs';
import { useId, useState } from 'react';
import { saveFile } from '../../../../../../shared/files/save-file.ts';
import { counted } from '../../../../../../shared/format/numbers.ts';
import { Button } from '../../../../../../shared/ui/button.tsx';
import { Dialog } from '../../../../../../shared/ui/dialog.tsx';
import { Switch } from '../../../../../../shared/ui/switch.tsx';
import { toast } from '../../../../../../shared/ui/toast.ts';
import { useOpenings } from '../../../../../../shared/ui/use-openings.ts';
import styles from './nvs.module.css';

export interface SaveCsvDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Contents of the board as they were read, without planned changes. */
  readonly store: NvsStore;
  /** File name without its ending. */
  readonly name: string;
  /** True: changes are planned, which the file does not have. */
  readonly hasChanges: boolean;
}

export function SaveCsvDialog(props: SaveCsvDialogProps) {
  return <SaveCsv key={useOpenings(props.open)} {...props} />;
}

function SaveCsv({ open, onClose, store, name, hasChanges }: SaveCsvDialogProps) {
  const note = useId();
  const [withSecrets, setWithSecrets] = useState(false);
  const secrets = liveEntries(store).filter(({ namespace, key, value }) => isSecretKey(namespace, key, value));
  const csv = nvsCsv(store, ({ namespace, key, value }) => !withSecrets && isSecretKey(namespace, key, value));
  const file = `${name}.csv`;
  const save = () => {
    saveFile(new Blob([csv.text], { type: 'text/csv' }), file);
    toast(`${file} was sent to your downloads`);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="sm"
      title="Save as CSV"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <div className={`stack apart ${styles['form']}`}>
        <p>
          {counted(liveEntries(store).length, 'key')} in the format of Espressif’s <code>nvs_partition_gen.py</code>
          {hasChanges ? ', as they are on the board. Planned changes are not in it.' : '.'}
        </p>
        {secrets.length === 0 ? null : (
          <>
            <Switch
              label={`Include ${counted(secrets.length, 'secret value')}`}
              checked={withSecrets}
              describedBy={note}
              onChange={setWithSecrets}
            />
            <p id={note} className="small">
              {withSecrets ? nvsCsvText.withSecrets : nvsCsvText.withoutSecrets}
            </p>
          </>
        )}
        {csv.leftOut.length === 0 ? null : <p className="small">{nvsCsvText.leftOut(csv.leftOut)}</p>}
      </div>
    </Dialog>
  );
}
