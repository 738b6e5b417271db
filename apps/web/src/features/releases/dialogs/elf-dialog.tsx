import { type FamilyId, familyTraits } from '@wirebench/boards';
import { buildsOf, type ElfFile, type Project, type Version } from '@wirebench/contract';
import { buildName } from '@wirebench/flasher/release/builds';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import { sizeText } from '../../../shared/format/bytes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useOpenings } from '../../../shared/ui/use-openings.ts';
import { useTwoPresses } from '../../../shared/ui/use-two-presses.ts';
import { type ElfPlace, useDownloadElf, useRemoveElf, useUploadElf } from '../calls/elfs.ts';
import type { CreationStep } from '../form/create-version.ts';
import { ElfField } from '../form/elf-field.tsx';
import { UploadProgressBar } from '../form/upload-progress-bar.tsx';
import { releaseFailureText } from '../release-texts.ts';
import dialogStyles from './dialog-table.module.css';

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
  const { _id: id, version: number } = version;
  const places = elfPlaces(version, project);
  const [placeId, setPlaceId] = useState((places.find(({ elf }) => elf === undefined) ?? places[0])?.buildId ?? id);
  const place = places.find(({ buildId }) => buildId === placeId) ?? places[0];
  const elf = place?.elf;
  const isWhole = place === undefined || place.buildId === id;
  const ofWhat = isWhole ? `version ${number}` : `the build for ${place.name}`;
  const [file, setFile] = useState<File | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [step, setStep] = useState<CreationStep | null>(null);
  const running = useRef<AbortController | null>(null);
  const end = () => {
    running.current = null;
    setStep(null);
  };
  const upload = useUploadElf([id, place?.buildId], {
    onSuccess: () => {
      end();
      toast(`ELF file of ${ofWhat} stored`);
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
      {places.length < 2 ? null : (
        <Field label="Build">
          {(ids) => (
            <Select
              {...ids}
              value={placeId}
              disabled={step !== null}
              onChange={(event) => {
                setPlaceId(event.currentTarget.value);
                upload.reset();
                setFile(null);
                setRefusal(null);
              }}
            >
              {places.map(({ buildId, name, elf: stored }) => (
                <option key={buildId} value={buildId}>
                  {name}
                  {stored === undefined ? '' : `: ${stored.fileName}`}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {elf === undefined ? (
        <p>
          {isWhole ? 'This version' : 'This build'} has no ELF file. With it, the crashes of its boards are shown with
          functions and lines.
        </p>
      ) : (
        <StoredElf key={placeId} at={[id, place?.buildId]} ofWhat={ofWhat} elf={elf} busy={step !== null} />
      )}
      <ElfField
        key={`new ${placeId}`}
        file={file}
        refusal={refusal}
        family={place?.family ?? project.deviceFamily}
        disabled={step !== null}
        onChange={(chosen, reason) => {
          upload.reset();
          setFile(chosen);
          setRefusal(reason);
        }}
      />
      {step === null ? null : <UploadProgressBar step={step} what={`the ELF file of ${ofWhat}`} />}
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

interface ChosenPlace {
  /** The version's id for the version itself. */
  readonly buildId: string;
  readonly name: string;
  readonly family: FamilyId;
  readonly elf: ElfFile | undefined;
}

/** Returns the builds that can have an ELF file, and the version itself where it is its only build, or has one. */
function elfPlaces(version: Version, project: Project): readonly ChosenPlace[] {
  const builds = buildsOf(version, project);
  const isItself = builds.some(({ _id }) => _id === version._id);
  const whole = { buildId: version._id, name: 'The whole version', family: project.deviceFamily, elf: version.elf };
  const ofBuilds = builds
    .filter(({ _id, deviceFamily }) => _id !== version._id && familyTraits[deviceFamily].hasElf)
    .map((build) => ({
      buildId: build._id,
      name: buildName(build),
      family: build.deviceFamily,
      elf: build.elf,
    }));
  return isItself || version.elf !== undefined ? [...ofBuilds, whole] : ofBuilds;
}

interface StoredElfProps {
  readonly at: ElfPlace;
  /** The version or build, for sentences. */
  readonly ofWhat: string;
  readonly elf: ElfFile;
  readonly busy: boolean;
}

function StoredElf({ at, ofWhat, elf, busy }: StoredElfProps) {
  const download = useDownloadElf(at, {
    onSuccess: (bytes) => saveFile(bytes, elf.fileName),
    onError: (error) => toast('Failed to fetch the ELF file', { level: 'error', detail: errorMessage(error) }),
  });
  const removal = useRemoveElf(at, {
    onSuccess: () => toast(`ELF file of ${ofWhat} removed`),
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
