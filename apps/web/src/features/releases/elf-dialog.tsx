import type { Project, Version } from '@wirebench/contract';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../shared/api/api-error.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import { sizeText } from '../../shared/format/bytes.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useOpenings } from '../../shared/ui/use-openings.ts';
import { useTwoPresses } from '../../shared/ui/use-two-presses.ts';
import { useDownloadElf, useRemoveElf, useUploadElf } from './calls/elfs.ts';
import type { CreationStep } from './create-version.ts';
import dialogStyles from './dialog-table.module.css';
import { ElfField } from './elf-field.tsx';
import { releaseFailureText } from './release-texts.ts';
import { UploadProgressBar } from './upload-progress-bar.tsx';

export interface ElfDialogProps {
  readonly project: Project;
  readonly version: Version;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Adds, replaces, downloads or removes the ELF file of a version. */
export function ElfDialog(props: ElfDialogProps) {
  return <ElfForm key={useOpenings(props.open)} {...props} />;
}

function ElfForm({ project, version, open, onClose }: ElfDialogProps) {
  const { _id: id, version: number, elf } = version;
  const [file, setFile] = useState<File | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [step, setStep] = useState<CreationStep | null>(null);
  const running = useRef<AbortController | null>(null);
  const end = () => {
    running.current = null;
    setStep(null);
  };
  const upload = useUploadElf(id, {
    onSuccess: () => {
      end();
      toast(`ELF file of version ${number} stored`);
      onClose();
    },
    onError: end,
  });
  // Closing the dialog aborts the upload, because its result would no longer be visible.
  useEffect(() => () => running.current?.abort(), []);
  const start = () => {
    if (file !== null) {
      const controller = new AbortController();
      running.current = controller;
      setStep({ step: 'uploading', sent: 0, total: file.size, bytesPerSecond: null });
      upload.mutate({ file, onStep: setStep, signal: controller.signal });
    }
  };
  const cancelled = upload.error?.name === 'AbortError';
  const close = () => {
    // A complete upload is not aborted, because the server stores it. The list shows it in a moment.
    if (step?.step !== 'storing') {
      running.current?.abort();
    }
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title={`ELF file of version ${number}`}
      footer={
        <>
          {step?.step === 'storing' ? null : step === null ? (
            <Button onClick={close}>Close</Button>
          ) : (
            <Button onClick={() => running.current?.abort()}>Cancel upload</Button>
          )}
          <Button variant="primary" busy={step !== null} disabled={file === null} onClick={start}>
            {elf === undefined ? 'Upload' : 'Replace'}
          </Button>
        </>
      }
    >
      {elf === undefined ? (
        <p>This version has no ELF file. With it, the crashes of its boards are shown with functions and lines.</p>
      ) : (
        <StoredElf version={version} elf={elf} busy={step !== null} />
      )}
      <ElfField
        file={file}
        refusal={refusal}
        family={project.deviceFamily}
        disabled={step !== null}
        onChange={(chosen, reason) => {
          upload.reset();
          setFile(chosen);
          setRefusal(reason);
        }}
      />
      {step === null ? null : <UploadProgressBar step={step} what={`the ELF file of version ${number}`} />}
      {upload.error === null || cancelled ? null : (
        <Notice level="error" title={releaseFailureText.elf(errorMessage(upload.error))}>
          The version is as it was.
        </Notice>
      )}
      <p role="status" className="small">
        {cancelled ? 'Upload cancelled. The version is as it was.' : null}
      </p>
    </Dialog>
  );
}

interface StoredElfProps {
  readonly version: Version;
  readonly elf: NonNullable<Version['elf']>;
  readonly busy: boolean;
}

function StoredElf({ version: { _id: id, version: number }, elf, busy }: StoredElfProps) {
  const download = useDownloadElf(id, {
    onSuccess: (bytes) => saveFile(bytes, elf.fileName),
    onError: (error) => toast('Failed to fetch the ELF file', { level: 'error', detail: errorMessage(error) }),
  });
  const removal = useRemoveElf(id, {
    onSuccess: () => toast(`ELF file of version ${number} removed`),
    onError: (error) => toast('Failed to remove the ELF file', { level: 'error', detail: errorMessage(error) }),
  });
  const { armed, press, disarm } = useTwoPresses(() => removal.mutate(), null);
  return (
    <div className={`row ${dialogStyles['row']}`}>
      <span>
        <b>{elf.fileName}</b> <span className="num">{sizeText(elf.size)}</span>, SHA-256{' '}
        <code title={elf.sha256}>{elf.sha256.slice(0, 9)}…</code>
      </span>
      <span className="buttons">
        <Button size="sm" icon={<Download />} busy={download.isPending} onClick={() => download.mutate()}>
          Save
        </Button>
        <Button
          size="sm"
          variant={armed ? 'danger-fill' : 'danger'}
          busy={removal.isPending}
          disabled={busy}
          aria-label={armed ? `Confirm: remove ${elf.fileName}` : `Remove ${elf.fileName}`}
          onBlur={disarm}
          onClick={press}
        >
          {armed ? 'Confirm' : 'Remove'}
        </Button>
      </span>
    </div>
  );
}
