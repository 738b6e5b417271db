/** Dialog with the choices for a new recording: content, ports, size of its files, and place. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { type FormEvent, useId, useState } from 'react';
import type { RecordingKind } from '../../../protocol/recording-index.ts';
import { browserStorage } from '../../../shared/storage/browser-storage.ts';
import { savingOf } from '../../../shared/storage/saving.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { Switch } from '../../../shared/ui/switch.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import styles from './recording-dialogs.module.css';
import { parseSplit, recordingKindText, splitFailureText } from './recording-texts.ts';
import { startRecording } from './recordings.ts';
import { freeSpaceText, useFreeSpace } from './use-free-space.ts';

const splitKey = 'wirebench.recording-split';
const save = savingOf({ what: 'The size to split recordings at' });

const kinds = (['text', 'raw', 'both'] as const).map((value) => ({ value, label: recordingKindText[value] }));

const kindHints = {
  text: 'One file: a line for each line received and sent, with its time, port and direction, as in the text log.',
  raw: 'A file for each port, with every received byte as it came.',
  both: 'A text file for all ports, and a file with the received bytes of each.',
} satisfies Record<RecordingKind, string>;

type Place = 'browser' | 'folder';
const places = [
  { value: 'browser', label: 'This browser' },
  { value: 'folder', label: 'A folder' },
] as const;

const placeHints = {
  browser: 'Survives a reload and a crash. Listed under Save, Recordings in this browser.',
  folder: 'You choose the folder next. This browser cannot list these files later.',
} satisfies Record<Place, string>;

export interface RecordDialogProps {
  /** Content that is chosen first. */
  readonly kind: RecordingKind;
  readonly onClose: () => void;
}

export function RecordDialog({ kind: first, onClose }: RecordDialogProps) {
  const formId = useId();
  const settings = useTerminalSettings((all) => all);
  const [kind, setKind] = useState(first);
  const [ports, setPorts] = useState<readonly PortNumber[]>(portNumbers);
  const [split, setSplit] = useState(() => browserStorage.getItem(splitKey) ?? '');
  const [place, setPlace] = useState<Place>('browser');
  const [submitted, setSubmitted] = useState(false);
  const [busy, setBusy] = useState(false);
  const free = useFreeSpace();
  const splitBytes = parseSplit(split);
  const hasFolders = folderWindow.showDirectoryPicker !== undefined;
  const start = async (event: FormEvent) => {
    event.preventDefault();
    setSubmitted(true);
    if (busy || splitBytes === undefined || ports.length === 0) {
      return;
    }
    setBusy(true);
    const folder = place === 'folder' ? await pickFolder() : null;
    if (place === 'folder' && folder === null) {
      setBusy(false);
      return;
    }
    save(() => browserStorage.setItem(splitKey, split.trim()));
    const id = await startRecording({ kind, ports, splitBytes, folder });
    setBusy(false);
    if (id !== null) {
      onClose();
    }
  };
  const toggle = (port: PortNumber, on: boolean) =>
    setPorts(portNumbers.filter((other) => (other === port ? on : ports.includes(other))));
  return (
    <Dialog
      open
      onClose={onClose}
      title="Record from now on"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={busy}>
            Start recording
          </Button>
        </>
      }
    >
      <form id={formId} noValidate className={styles['form']} onSubmit={(event) => void start(event)}>
        <div className={styles['field']}>
          <span className="silk">Content</span>
          <Segmented label="Content" options={kinds} value={kind} onChange={setKind} />
          <p className="small">{kindHints[kind]}</p>
        </div>
        <fieldset className={styles['ports']}>
          <legend className="silk">Ports</legend>
          {portNumbers.map((port) => (
            <Switch
              key={port}
              label={portName(settings, port)}
              checked={ports.includes(port)}
              onChange={(on) => toggle(port, on)}
            />
          ))}
          <div role="alert" className={styles['wide']}>
            {submitted && ports.length === 0 ? <FieldError>Choose at least one port.</FieldError> : null}
          </div>
        </fieldset>
        <Field
          label="Begin a new file after, in MB"
          hint={kind === 'raw' ? 'Empty: one file a port.' : 'Empty: one file. A line of text is never cut.'}
          error={submitted && splitBytes === undefined ? splitFailureText : null}
        >
          {(ids) => (
            <TextInput
              {...ids}
              mono
              className={styles['number']}
              inputMode="numeric"
              autoComplete="off"
              value={split}
              onChange={(event) => setSplit(event.currentTarget.value)}
            />
          )}
        </Field>
        {hasFolders ? (
          <div className={styles['field']}>
            <span className="silk">Keep in</span>
            <Segmented label="Keep in" options={places} value={place} onChange={setPlace} />
            <p className="small">
              {placeHints[place]} {place === 'browser' ? freeSpaceText(free) : null}
            </p>
          </div>
        ) : (
          <p className="small">
            {placeHints.browser} {freeSpaceText(free)}
          </p>
        )}
      </form>
    </Dialog>
  );
}

/** Chromium only (File System Access, section 3). */
const folderWindow = window as Window & {
  showDirectoryPicker?: (options: { mode: 'readwrite'; id: string }) => Promise<FileSystemDirectoryHandle>;
};

/** Lets the user choose a folder that the page may write to. Returns null if no folder was chosen or allowed. */
async function pickFolder(): Promise<FileSystemDirectoryHandle | null> {
  try {
    return (await folderWindow.showDirectoryPicker?.({ mode: 'readwrite', id: 'wirebench-recordings' })) ?? null;
  } catch (error) {
    if (!(error instanceof DOMException)) {
      throw error;
    }
    if (error.name !== 'AbortError') {
      toast('The folder cannot be used.', { level: 'error', detail: error.message });
    }
    return null;
  }
}
