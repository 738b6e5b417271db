import type { CrashExample, Version } from '@wirebench/contract';
import { Copy, Download, FileCode2, Trash2 } from 'lucide-react';
import { errorMessage } from '../../shared/api/api-error.ts';
import { exactText } from '../../shared/dates/dates.ts';
import { copyText } from '../../shared/files/copy-text.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import { sizeText } from '../../shared/format/bytes.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useTwoPresses } from '../../shared/ui/use-two-presses.ts';
import { useCrash, useCrashDump, useDeleteCrashes } from './calls/crashes.ts';
import styles from './crashes-dialog.module.css';
import { DialogAnswer } from './dialog-answer.tsx';
import { type PlacesOf, stacksText, unnamedAddresses } from './model/crash-stacks.ts';
import { useElfPlaces } from './use-elf-places.ts';

export interface CrashDetailProps {
  readonly id: string;
  readonly version: Version;
  readonly fingerprint: string;
  readonly cause: string;
}

/** Shows the newest example of a crash: its stacks, and actions on them. */
export function CrashDetail({ id, version, fingerprint, cause }: CrashDetailProps) {
  const query = useCrash(version._id, fingerprint);
  return (
    <div id={id} className={styles['detail']}>
      <DialogAnswer query={query} what="this crash">
        {({ examples: [newest, ...older] }) =>
          newest === undefined ? null : (
            <Example
              version={version}
              fingerprint={fingerprint}
              cause={cause}
              example={newest}
              dumped={[newest, ...older].find(({ memorySize }) => memorySize > 0) ?? null}
            />
          )
        }
      </DialogAnswer>
    </div>
  );
}

interface ExampleProps extends Omit<CrashDetailProps, 'id'> {
  readonly example: CrashExample;
  /** Newest example with a core dump. */
  readonly dumped: CrashExample | null;
}

function Example({ version, fingerprint, cause, example, dumped }: ExampleProps) {
  const { elf } = version;
  const isOther = elf !== undefined && example.build !== null && !elf.sha256.startsWith(example.build);
  const unnamed = unnamedAddresses(example);
  const decoding = useElfPlaces(version);
  const placesOf: PlacesOf = (pc) => decoding.places.get(pc) ?? null;
  const text = stacksText(example, placesOf);
  const dump = useCrashDump(version._id, fingerprint, {
    onSuccess: (bytes) => saveFile(bytes, `crash-${version.version}-${fingerprint}.coredump`),
    onError: (error) => toast('Failed to fetch the core dump', { level: 'error', detail: errorMessage(error) }),
  });
  return (
    <>
      <p className="small">{factsOf(example)}</p>
      {example.details === '' || example.details === cause ? null : <p>{example.details}</p>}
      {isOther ? (
        <Notice level="warning" title="Another build crashed than the ELF file of this version is of.">
          The program names the ELF file {example.build}.
        </Notice>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className={styles['stacks']} aria-label="Stacks of the newest example" tabIndex={0}>
        {text}
      </section>
      {decoding.failure === null ? null : <Notice level="error" title={decoding.failure} />}
      <div className={`row ${styles['buttons']}`}>
        {elf === undefined || isOther || unnamed.length === 0 || decoding.places.size > 0 ? null : (
          <Button size="sm" icon={<FileCode2 />} busy={decoding.busy} onClick={() => decoding.start(unnamed)}>
            Show functions and lines
          </Button>
        )}
        <Button size="sm" icon={<Copy />} onClick={() => void copyText(`${cause}\n\n${text}`, 'Crash copied')}>
          Copy as text
        </Button>
        {dumped === null ? null : (
          <Button size="sm" icon={<Download />} busy={dump.isPending} onClick={() => dump.mutate(dumped._id)}>
            Save core dump ({sizeText(dumped.memorySize)})
          </Button>
        )}
        <DeleteCrash versionId={version._id} fingerprint={fingerprint} cause={cause} />
      </div>
    </>
  );
}

function factsOf({ chip, chipRevision, build, receivedAt }: CrashExample): string {
  const revision = chipRevision === null ? '' : ` revision ${Math.floor(chipRevision / 100)}.${chipRevision % 100}`;
  return [
    `Newest example: ${exactText(receivedAt)}`,
    `${chip}${revision}`,
    ...(build === null ? [] : [`ELF file ${build}`]),
  ].join(' · ');
}

interface DeleteCrashProps {
  readonly versionId: string;
  readonly fingerprint: string;
  readonly cause: string;
}

function DeleteCrash({ versionId, fingerprint, cause }: DeleteCrashProps) {
  const deletion = useDeleteCrashes(versionId, {
    onSuccess: () => toast('Crash deleted'),
    onError: (error) => toast('Failed to delete the crash', { level: 'error', detail: errorMessage(error) }),
  });
  const { armed, press, disarm } = useTwoPresses(() => deletion.mutate(fingerprint), null);
  return (
    <Button
      size="sm"
      icon={<Trash2 />}
      variant={armed ? 'danger-fill' : 'danger'}
      busy={deletion.isPending}
      aria-label={armed ? `Confirm: delete ${cause}` : `Delete ${cause}`}
      onBlur={disarm}
      onClick={press}
    >
      {armed ? 'Confirm' : 'Delete'}
    </Button>
  );
}
