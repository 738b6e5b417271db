/**
 * Watches the files of a build on the disk, and reads them once they are complete and still. Everything that waits here
 * waits in the worker, because browsers slow the timers of a hidden page.
 */
import type { Wholeness } from '@wirebench/flasher/images';
import { isSameFile } from '../../../shared/files/changed-files.ts';
import { type DiskFile, type FileFault, type GivenBatches, givenFile, newestFiles } from '../store/disk-files.ts';
import { changedInUse, inTurn, takeRenewed, usedNames } from '../store/file-actions.ts';
import { getFlasher } from '../store/flasher-line.ts';
import { flasherStore } from '../store/flasher-store.ts';

/** Time without a change after which files count as still, in milliseconds. */
const stillTime = 300;
/** Time between two looks at the files, in milliseconds. An observer only shortens it. */
const lookInterval = 1_000;

/** Records of a `FileSystemObserver` (WICG File System Observer, "The FileSystemChangeRecord interface"). */
interface ChangeRecord {
  readonly relativePathComponents: readonly string[];
}

interface Observer {
  observe(handle: FileSystemHandle, options: { readonly recursive: boolean }): Promise<void>;
  disconnect(): void;
}

interface ObservingWindow {
  readonly FileSystemObserver?: new (onChange: (records: readonly ChangeRecord[]) => void) => Observer;
}

/** Returns the used files of a build that are on the disk, with the ELF files beside them. */
export function watchedFiles(): readonly DiskFile[] {
  const { given, chosen } = flasherStore().getState();
  const used = usedNames(chosen);
  const all = given.flat();
  const own = all.filter(({ name, reread }) => used.has(name) && reread !== undefined);
  const programs = own.flatMap((file) => programBeside(file, all) ?? []);
  return [...new Set([...own, ...programs])];
}

/** Returns the ELF file with the name of a raw binary, from the same folder; null without one. */
function programBeside({ name }: DiskFile, all: readonly DiskFile[]): DiskFile | null {
  const stem = /^(.*)\.bin$/i.exec(name)?.[1];
  return all.find((file) => stem !== undefined && [`${stem}.elf`, `${stem}.axf`].includes(file.name)) ?? null;
}

/** Returns sizes and times of the watched files as one text. A file that cannot be read stands as its fault. */
async function snapshot(): Promise<string> {
  const parts = await Promise.all(
    watchedFiles().map(async ({ name, reread }) => {
      const state = await reread?.().then(
        ({ size, lastModified }) => `${size} ${lastModified}`,
        (error: unknown) => (error instanceof Error ? error.name : ''),
      );
      return `${name} ${state}`;
    }),
  );
  return parts.join('\n');
}

export class DiskWatch {
  readonly #observer: Observer | null = null;
  readonly #signal: AbortSignal;
  /** Paths below the folder that have changed since the last build. */
  readonly changed = new Set<string>();
  #events = 0;
  /** Time of the last one, as of `performance.now()`. */
  #eventAt = 0;
  #wake: () => void = () => undefined;
  #settled: string | null = null;

  constructor(roots: readonly FileSystemHandle[], signal: AbortSignal) {
    this.#signal = signal;
    const { FileSystemObserver } = window as Window & ObservingWindow;
    if (FileSystemObserver !== undefined) {
      const observer = new FileSystemObserver((records) => this.#note(records));
      this.#observer = observer;
      for (const root of roots) {
        // Some file systems cannot be observed. The files are still looked at each second.
        observer.observe(root, { recursive: root.kind === 'directory' }).catch(() => undefined);
      }
    }
    signal.addEventListener('abort', () => {
      this.#observer?.disconnect();
      this.#wake();
    });
  }

  #note(records: readonly ChangeRecord[]): void {
    this.#events++;
    this.#eventAt = performance.now();
    for (const { relativePathComponents } of records) {
      this.changed.add(relativePathComponents.join('/'));
    }
    this.#wake();
  }

  /** Takes the files as they are now for known, so that only later changes count. */
  async begin(): Promise<void> {
    this.#settled = await snapshot();
    this.changed.clear();
  }

  /** Ends a wait early, so that its condition is looked at again. */
  wake(): void {
    this.#wake();
  }

  /** Resolves when a file of the build, or another one of its folder, has changed, when `isOver`, or at the end. */
  async untilChanged(isOver: () => boolean = () => false): Promise<void> {
    while (
      !this.#signal.aborted &&
      !isOver() &&
      this.changed.size === 0 &&
      (await snapshot()) === this.#settled &&
      !isOver()
    ) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await Promise.race([woken, pause(lookInterval)]);
    }
  }

  /**
   * Resolves when nothing has changed for `stillTime`. Returns true if the files of the build differ from those that
   * were still the last time.
   *
   * @param onWait Called at each further change.
   */
  async untilStill(onWait: () => void = () => undefined): Promise<boolean> {
    let last = await snapshot();
    for (let wait = stillTime; ; ) {
      const events = this.#events;
      onWait();
      await pause(wait);
      const next = await snapshot();
      if (this.#signal.aborted || (next === last && events === this.#events)) {
        const isNew = next !== this.#settled;
        this.#settled = next;
        return isNew;
      }
      // Late events of the same change add the rest of their time alone. When files have changed is unknown.
      wait = next === last ? Math.max(0, stillTime - (performance.now() - this.#eventAt)) : stillTime;
      last = next;
    }
  }
}

/** Waits in the worker. A worker that was lost is reported elsewhere. */
export const pause = (duration: number): Promise<void> =>
  getFlasher()
    .call('pause', duration)
    .catch(() => new Promise((resolve) => setTimeout(resolve, duration)));

/**
 * Outcome of reading a build. `read`: the worker holds its bytes, all of them proven or accepted. `moved`: a file has
 * changed during the reading. Else the files that are to blame.
 */
export type BuildReading =
  | { readonly kind: 'read' | 'moved' }
  | { readonly kind: Exclude<Wholeness, 'whole'> | 'missing' | 'refused'; readonly names: readonly string[] };

/**
 * Reads the build, and hands it to the worker if it is complete.
 *
 * @param accepted Kinds of doubt that the user has accepted for this build.
 */
export const readBuild = (accepted: ReadonlySet<Wholeness> = new Set()): Promise<BuildReading> =>
  inTurn(() => readNow(accepted));

async function readNow(accepted: ReadonlySet<Wholeness>): Promise<BuildReading> {
  const { given, chosen, withdrawn } = flasherStore().getState();
  const used = usedNames(chosen);
  const { batches, faults } = await newestFiles(given, used, withdrawn);
  if (faults.length > 0) {
    return faulty(faults);
  }
  const doubt = await doubtOf(batches, used, accepted);
  if (doubt !== null) {
    return doubt;
  }
  try {
    const files = batches.map((batch) => batch.map(givenFile));
    takeRenewed(await getFlasher().call('renewFiles', files, withdrawn), batches);
  } catch (error) {
    if ((await changedInUse()).length > 0) {
      return { kind: 'moved' };
    }
    throw error;
  }
  const now = flasherStore().getState().chosen;
  const missing = now.conflicts
    .filter(({ code }) => code === 'listed-file-missing' || code === 'listed-file-open')
    .flatMap((one) => one.files);
  const added = [...usedNames(now)].filter((name) => !used.has(name));
  const later = added.length === 0 ? null : await doubtOf(batches, new Set(added), accepted);
  if (missing.length > 0 || now.files.length === 0) {
    return { kind: 'missing', names: missing };
  }
  return later ?? ((await changedInUse()).length > 0 ? { kind: 'moved' } : { kind: 'read' });
}

function faulty(faults: readonly FileFault[]): BuildReading {
  const refused = faults.filter(({ code }) => code === 'refused');
  const [kind, found] = refused.length > 0 ? (['refused', refused] as const) : (['missing', faults] as const);
  return { kind, names: found.map(({ name }) => name) };
}

/** Returns true if the worker has these contents of the file already. */
function isAsGiven({ name, content }: DiskFile): boolean {
  const before = flasherStore()
    .getState()
    .given.flat()
    .find((file) => file.name === name)?.content;
  return before instanceof File && content instanceof File && isSameFile(before, content);
}

/** Order in which doubts are reported. */
const doubts = ['torn', 'stale', 'unproven'] as const;

async function doubtOf(
  batches: GivenBatches,
  names: ReadonlySet<string>,
  accepted: ReadonlySet<Wholeness>,
): Promise<BuildReading | null> {
  const all = batches.flat();
  const files = all.filter(({ name }) => names.has(name));
  const programs = files.map((file) => {
    const program = programBeside(file, all);
    return program === null ? null : givenFile(program);
  });
  const judged = await getFlasher().call('checkBuild', files.map(givenFile), programs);
  for (const kind of doubts) {
    // A file without a proof that stays as it was given raises no new question.
    const found = files.filter((file, index) => judged[index] === kind && !(kind === 'unproven' && isAsGiven(file)));
    if (found.length > 0 && !accepted.has(kind)) {
      return { kind, names: found.map(({ name }) => name) };
    }
  }
  return null;
}
