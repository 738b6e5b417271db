import { type CrashExample, type CrashTask, type ElfFile, firmwarePaths, type Version } from '@wirebench/contract';
import { buildName } from '@wirebench/flasher/release/builds';
import { Copy, Download, FileCode2, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { send } from '../../../shared/api/api.ts';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { exactText } from '../../../shared/dates/dates.ts';
import { copyText } from '../../../shared/files/copy-text.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import { sizeText } from '../../../shared/format/bytes.ts';
import { wordText } from '../../../shared/format/hex.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useTwoPresses } from '../../../shared/ui/use-two-presses.ts';
import { useCrash, useCrashDump, useDeleteCrashes } from '../calls/crashes.ts';
import styles from './crashes-dialog.module.css';
import { DialogAnswer } from './dialog-answer.tsx';

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

/** The stacks of a crash as text, with functions and lines from the sender or the ELF file. */

type CrashFrame = CrashTask['frames'][number];
type CrashPlaces = CrashFrame['places'];

/** Returns the places that an ELF file names for an address; null for none. */
type PlacesOf = (pc: number) => CrashPlaces | null;

/** The ELF file that names the addresses of a crash, or the reason why there is none. */
type ElfOfCrash =
  | { readonly elf: ElfFile; readonly buildId: string | null }
  /** `reason`: null where the version has no ELF file at all. */
  | { readonly elf: null; readonly reason: string | null };

/**
 * Chooses the ELF file of the build that crashed. The file of another build would give wrong names, so it is never
 * chosen.
 */
function elfOfCrash(
  { elf, builds = [] }: Version,
  { build: hash, buildId }: Pick<CrashExample, 'build' | 'buildId'>,
): ElfOfCrash {
  const none = (reason: string | null): ElfOfCrash => ({ elf: null, reason });
  const isOf = (file: ElfFile) => hash !== null && file.sha256.startsWith(hash);
  const own = elf === undefined ? [] : [{ elf, buildId: null }];
  const ofBuilds = builds.flatMap((build) => (build.elf === undefined ? [] : [{ elf: build.elf, buildId: build._id }]));
  if (own.length + ofBuilds.length === 0) {
    return none(null);
  }
  const [only, second] = builds;
  const ran = builds.find(({ _id }) => _id === buildId) ?? (second === undefined ? only : undefined);
  // The version's own file may be of any of its builds, so it counts only where its hash says that it ran.
  const sure = own.filter(({ elf: file }) => builds.length < 2 || isOf(file));
  if (ran === undefined && builds.length > 0) {
    const named = [...ofBuilds, ...sure].find(({ elf: file }) => isOf(file));
    return named ?? none('The crash does not say which build ran: no ELF file gives it names.');
  }
  const found = ofBuilds.find((one) => one.buildId === ran?._id) ?? sure[0];
  if (found === undefined) {
    return none(ran === undefined ? null : `The build for ${buildName(ran)} has no ELF file.`);
  }
  if (hash !== null && !isOf(found.elf)) {
    const whose = found.buildId === null || ran === undefined ? 'this version' : `the build for ${buildName(ran)}`;
    return none(`Another build crashed than the ELF file of ${whose} is of.`);
  }
  return found;
}

function stacksText({ tasks }: Pick<CrashExample, 'tasks'>, placesOf: PlacesOf = () => null): string {
  return tasks.map((task) => taskText(task, placesOf)).join('\n\n');
}

function taskText({ name, crashed, stackUsed, stackSize, frames }: CrashTask, placesOf: PlacesOf): string {
  const facts = [
    crashed ? 'crashed' : null,
    stackUsed === null || stackSize === null ? null : `stack ${stackUsed} of ${stackSize} bytes`,
  ].filter((fact) => fact !== null);
  const title = `${name ?? 'Task'}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
  return [title, ...frames.flatMap((frame, index) => frameLines(frame, index, placesOf))].join('\n');
}

function frameLines({ pc, guess, places }: CrashFrame, index: number, placesOf: PlacesOf): string[] {
  const known = places.length > 0 ? places : (placesOf(pc) ?? []);
  const [first, ...callers] = known;
  const mark = guess ? ' (a guess)' : '';
  const head = `#${index}  ${wordText(pc)}`;
  return [
    first === undefined ? `${head}${mark}` : `${head} ${placeText(first)}${mark}`,
    ...callers.map((caller) => `    inlined by ${placeText(caller)}`),
  ];
}

const placeText = ({ function: name, file, line }: CrashPlaces[number]): string =>
  `${name ?? '??'} at ${file ?? '??'}:${line === 0 ? '?' : line}`;

/** Returns each address without a place once. Its origin decides which lookup is used. */
function unnamedAddresses({
  tasks,
}: Pick<CrashExample, 'tasks'>): { readonly pc: number; readonly isReturn: boolean }[] {
  const found = new Map<number, boolean>();
  for (const { frames } of tasks) {
    for (const [index, { pc, places }] of frames.entries()) {
      if (places.length === 0 && !found.has(pc)) {
        found.set(pc, index > 0);
      }
    }
  }
  return [...found].map(([pc, isReturn]) => ({ pc, isReturn }));
}

/**
 * Resolves addresses to functions and lines with the ELF file of a version or build. The file is downloaded on demand and read
 * in a worker.
 */

interface ElfPlaces {
  /** By address; empty before the first request. */
  readonly places: ReadonlyMap<number, CrashPlaces>;
  readonly busy: boolean;
  /** Reason why no place was found; null without a failure. */
  readonly failure: string | null;
  readonly start: (addresses: readonly { readonly pc: number; readonly isReturn: boolean }[]) => void;
}

const none: ReadonlyMap<number, CrashPlaces> = new Map();

/** @param chosen The file to use. Without one, nothing is to be started. */
function useElfPlaces(versionId: string, chosen: ElfOfCrash): ElfPlaces {
  const [found, setFound] = useState({ places: none, busy: false, failure: null as string | null });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start: ElfPlaces['start'] = (addresses) => {
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setFound({ places: none, busy: true, failure: null });
    const buildId = chosen.elf === null ? null : chosen.buildId;
    const path = firmwarePaths.versionElf(versionId, buildId ?? undefined);
    find(path, chosen.elf?.fileName ?? 'firmware.elf', addresses, signal).then(
      (places) => {
        if (!signal.aborted) {
          const failure = places.size === 0 ? 'The ELF file knows none of these addresses.' : null;
          setFound({ places, busy: false, failure });
        }
      },
      (error: unknown) => {
        if (!signal.aborted) {
          const failure = `The ELF file could not be used: ${errorMessage(error)}`;
          setFound({ places: none, busy: false, failure });
        }
      },
    );
  };
  return { ...found, start };
}

async function find(
  path: string,
  name: string,
  addresses: Parameters<ElfPlaces['start']>[0],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, CrashPlaces>> {
  // Loaded on demand, because most visits of this page involve no crash.
  const { addSymbolFile, decode, removeSymbolFile } = await import('../../../workbench/crash/symbol-files.ts');
  const bytes = await (await send(path, { signal })).blob();
  const file = await addSymbolFile(new File([bytes], name));
  try {
    const { places } = await decode({
      files: [file],
      addresses: addresses.map(({ pc, isReturn }) => ({ value: pc, role: isReturn ? 'return' : 'exact' })),
      build: null,
    });
    return new Map(
      addresses.flatMap(({ pc }, index) => {
        const place = places[index];
        return place === null || place === undefined
          ? []
          : [
              [
                pc,
                place.frames.map((frame) => ({
                  function: frame.name ?? null,
                  file: frame.file ?? null,
                  line: frame.line ?? 0,
                })),
              ] as const,
            ];
      }),
    );
  } finally {
    removeSymbolFile(file);
  }
}

function Example({ version, fingerprint, cause, example, dumped }: ExampleProps) {
  const chosen = elfOfCrash(version, example);
  const unnamed = unnamedAddresses(example);
  const decoding = useElfPlaces(version._id, chosen);
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
      {chosen.elf !== null || chosen.reason === null ? null : (
        <Notice level="warning" title={chosen.reason}>
          {example.build === null ? null : `The program names the ELF file ${example.build}.`}
        </Notice>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className={styles['stacks']} aria-label="Stacks of the newest example" tabIndex={0}>
        {text}
      </section>
      {decoding.failure === null ? null : <Notice level="error" title={decoding.failure} />}
      <div className={`row ${styles['buttons']}`}>
        {chosen.elf === null || unnamed.length === 0 || decoding.places.size > 0 ? null : (
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
