/**
 * Writes each new build of a watched folder to a board. It never decides for the user: what needs a decision waits for
 * it. Loaded when a watch begins.
 */
import type { WriteReport } from '@wirebench/flasher/core';
import type { Wholeness } from '@wirebench/flasher/images';
import type { PortNumber } from '@wirebench/serial';
import { CircleX, Eye, FolderLock, Hammer, TriangleAlert, Unplug } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { FindRequest } from '../../../protocol/bench/find-part.ts';
import type { PlanFacts } from '../../../protocol/flash-protocol.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { getBench } from '../../../workbench/bench.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import type { AnswerView } from '../answer/answer-facts.ts';
import { filesOfHandles } from '../files/dropped-files.ts';
import { type FlashState, isBusy, isReady } from '../state/flash-state.ts';
import { changedInUse, takeFiles } from '../store/file-actions.ts';
import { connectAgain, restart, writeAsRead } from '../store/flash-actions.ts';
import { flasherStore, flashOf, pageFamily, shownFamily } from '../store/flasher-store.ts';
import { isVisited } from '../store/page-visits.ts';
import { isAgreed, planAtOnce, shownPlan } from '../store/plan-actions.ts';
import { settled } from '../store/running-work.ts';
import { watchKey } from '../store/watched-boards.ts';
import { DiskWatch, pause, readBuild, watchedFiles } from './disk-watch.ts';
import { forgetFolder, rememberedFolder, rememberFolder } from './remembered-folders.ts';
import {
  type Build,
  buildText,
  isOwnAnswer,
  partText,
  reasonToAsk,
  type WatchFacts,
  type WatchState,
  watchWords,
} from './watch-answers.ts';

/** Times for which a doubt about still files lasts before the user is asked, in milliseconds. */
const patience: Readonly<Partial<Record<string, number>>> = { unproven: 2_000, stale: 10_000 };

const doubtText = (kind: string, names: readonly string[]): string => {
  const [first = 'A file'] = names.map((name) => name.split('/').at(-1) ?? name);
  return kind === 'stale'
    ? `${first} is not made from the .elf file beside it.`
    : `${first} carries no length, end or hash, and has no .elf file beside it. Whether it is complete cannot be checked.`;
};

const blameText = (kind: string, names: readonly string[]): string | null => {
  const listed = names.map((name) => name.split('/').at(-1) ?? name).join(', ');
  if (listed === '') {
    return null;
  }
  const what = { torn: 'is not complete yet', missing: 'is not there yet', stale: 'is older than its .elf file' }[kind];
  return `${listed} ${what ?? 'cannot be judged yet'}. It is written when the build is complete and still for 0.3 s.`;
};

const signs = {
  waiting: <Eye />,
  building: <Hammer />,
  working: <Hammer />,
  decision: <TriangleAlert />,
  impossible: <CircleX />,
  gone: <Unplug />,
  refused: <FolderLock />,
} satisfies Record<WatchState['kind'], ReactNode>;

const watches = new Map<PortNumber, BuildWatch>();

/** Begins to watch the chosen files for the board at this port. */
export function startWatching(port: PortNumber): void {
  const roots = [...new Set(watchedFiles().flatMap(({ root }) => root ?? []))];
  if (roots.length > 0 && !watches.has(port)) {
    rememberFolder(watchKey(port), roots);
    watches.set(port, new BuildWatch(port, roots));
  }
}

/** Goes on with the folder that was watched for this board before, if the page may still read it. */
export async function resumeWatching(port: PortNumber): Promise<void> {
  const roots = await rememberedFolder(watchKey(port));
  const [root] = roots;
  if (root === undefined || watches.has(port)) {
    return;
  }
  if (flasherStore().getState().chosen.files.length === 0) {
    watches.set(port, new BuildWatch(port, roots, true));
    return;
  }
  const same = await Promise.all(watchedFiles().map((file) => file.root?.isSameEntry(root) ?? false));
  if (same.some(Boolean)) {
    startWatching(port);
  }
}

/** A handle that can ask for its permission (File System Access, section 2.2). */
type AskingHandle = FileSystemHandle & {
  queryPermission?(options: { mode: 'read' }): Promise<PermissionState>;
  requestPermission?(options: { mode: 'read' }): Promise<PermissionState>;
};

class BuildWatch {
  readonly #port: PortNumber;
  readonly #roots: readonly FileSystemHandle[];
  readonly #family = pageFamily().name;
  readonly #board: string | null;
  readonly #key: string;
  readonly #ending = new AbortController();
  readonly #since = Date.now();
  readonly #title = document.title;
  readonly #disk: DiskWatch;
  #state: WatchState = { kind: 'waiting', note: null };
  #written = 0;
  #found = 0;
  #last: WatchFacts['last'] = null;
  /** Names the bytes that the board has; null if unknown. */
  #onBoard: string | null = null;
  #skipped: string | null = null;
  /** Plan that was carried out last, or that the user has seen. */
  #agreed: PlanFacts | null;
  /** True: a build is complete, and is not on the board yet. */
  #pending = false;
  #accepted: ReadonlySet<Wholeness> = new Set();
  #unwatch: () => void;
  #isWriting = false;
  /** Work that the user has asked for. It is done before the next build is looked at. */
  #next: (() => Promise<void>) | null = null;
  /** Plan of the build that waits for the user's decision. */
  #asked: PlanFacts | null = null;

  constructor(port: PortNumber, roots: readonly FileSystemHandle[], isRemembered = false) {
    this.#port = port;
    this.#roots = roots;
    this.#board = flashOf(port).board?.id ?? null;
    this.#key = watchKey(port);
    this.#disk = new DiskWatch(roots, this.#ending.signal);
    this.#agreed = shownPlan(port);
    this.#unwatch = flasherStore().subscribe((now, before) => this.#follow(now.flashes[port], before.flashes[port]));
    void this.#start(isRemembered).catch((error: unknown) => {
      toast(`The build is not watched any more: ${error instanceof Error ? error.message : String(error)}`, {
        level: 'error',
      });
      this.stop(false);
    });
  }

  get #facts(): WatchFacts {
    const { list } = flasherStore().getState().chosen;
    const [root] = this.#roots;
    const files = watchedFiles().filter(({ name }) => !/\.(elf|axf)$/i.test(name)).length;
    const by = list === undefined ? '' : `, ${files} files by ${list.split('/').at(-1)}`;
    return {
      state: this.#state,
      name: `${root?.name ?? ''}${by}`,
      since: this.#since,
      written: this.#written,
      last: this.#last,
    };
  }

  /** @param forgets True: the folder is not watched again when the board comes back. */
  stop(forgets = true): void {
    if (this.#ending.signal.aborted) {
      return;
    }
    this.#ending.abort();
    this.#unwatch();
    watches.delete(this.#port);
    document.title = document.title.startsWith('●') ? this.#title : document.title;
    if (forgets) {
      forgetFolder(this.#key);
    }
    flasherStore().setState(({ watches: all }) => ({ watches: { ...all, [this.#port]: null } }));
  }

  #set(state: WatchState): void {
    this.#state = state;
    this.#show();
  }

  #show(): void {
    if (this.#ending.signal.aborted) {
      return;
    }
    const facts = this.#facts;
    const answer = (derived: AnswerView, flash: FlashState): AnswerView => {
      if (!isOwnAnswer(facts, flash)) {
        return derived;
      }
      const { second, ...words } = watchWords(facts, flash);
      const isStop = facts.state.kind === 'working';
      const effects = this.#effects(facts.state);
      return {
        ...words,
        action: isStop ? 'stop' : 'own',
        ...(isStop
          ? { blocked: flash.phase === 'restarting' || flash.phase === 'done' }
          : {
              own: {
                sign: signs[facts.state.kind],
                onPress: effects.main,
                ...(second !== undefined && { second: { label: second, onPress: effects.second } }),
              },
            }),
      };
    };
    const shown = {
      place: facts.name,
      answer,
      stop: () => this.stop(),
      strip: facts.state.kind === 'working' ? `${buildText(facts.state.build)}, is being written` : null,
      Tools: MonitorTools,
    };
    flasherStore().setState(({ watches: all }) => ({ watches: { ...all, [this.#port]: shown } }));
  }

  #effects(state: WatchState): { readonly main: () => void; readonly second: () => void } {
    const stop = () => this.stop();
    switch (state.kind) {
      case 'decision':
        return { main: () => this.#decide(state.build), second: () => this.#skip(state.build) };
      case 'refused':
        return { main: () => void this.#askAgain(), second: stop };
      default:
        return { main: stop, second: stop };
    }
  }

  /** Notes a write that the user has begun, so that the same build is not written again. */
  #follow(now: FlashState, before: FlashState): void {
    const isOther = now.board !== null && now.board.id !== this.#board;
    if (isOther || (now.phase === 'none' && before.phase !== 'none')) {
      this.stop(false);
    } else if (now.phase === 'restarting' && before.phase === 'writing' && !this.#isWriting) {
      this.#onBoard = bytesKey();
      this.#agreed = now.plan;
    }
  }

  async #start(isRemembered: boolean): Promise<void> {
    if (isRemembered && !(await this.#takeRemembered())) {
      return;
    }
    await this.#watch();
  }

  async #takeRemembered(): Promise<boolean> {
    const states = await Promise.all(
      this.#roots.map((root) => (root as AskingHandle).queryPermission?.({ mode: 'read' }) ?? 'granted'),
    );
    if (states.some((state) => state !== 'granted')) {
      this.#set({ kind: 'refused' });
      return false;
    }
    await takeFiles(filesOfHandles(this.#roots));
    return true;
  }

  /** Asks for the permission. Called from a press. */
  async #askAgain(): Promise<void> {
    const answers = await Promise.all(
      this.#roots.map((root) => (root as AskingHandle).requestPermission?.({ mode: 'read' }) ?? 'granted'),
    );
    if (answers.every((answer) => answer === 'granted')) {
      this.#set({ kind: 'waiting', note: null });
      if (flasherStore().getState().chosen.files.length === 0) {
        await takeFiles(filesOfHandles(this.#roots));
      }
      await this.#watch();
    }
  }

  async #watch(): Promise<void> {
    const { phase, plan } = flashOf(this.#port);
    await this.#disk.begin();
    if (phase === 'done' || (phase === 'planned' && plan?.toWrite === 0)) {
      this.#onBoard = bytesKey();
    }
    // Not before `begin`: a user who reads that the next build is awaited may start it at once.
    this.#show();
    if (phase === 'planned' && plan?.toWrite === 0) {
      await restart(this.#port);
    }
    while (!this.#ending.signal.aborted) {
      if (!this.#pending) {
        await this.#disk.untilChanged(() => this.#next !== null);
      }
      if (this.#ending.signal.aborted) {
        return;
      }
      if (!watchedFiles().some(({ root }) => root !== undefined && this.#roots.includes(root))) {
        this.stop(false);
        return;
      }
      if (!this.#isHere()) {
        await pause(500);
        continue;
      }
      const next = this.#next;
      this.#next = null;
      await (next === null ? this.#takeChange() : next());
      if (this.#state.kind === 'refused') {
        return;
      }
    }
  }

  /** True: the page of the family is shown, and nothing else works on the board. */
  #isHere(): boolean {
    return shownFamily()?.name === this.#family && isVisited() && !isBusy(flashOf(this.#port));
  }

  async #takeChange(): Promise<void> {
    const before = this.#state;
    const since = Date.now();
    const building = (blame: string | null) =>
      this.#set({ kind: 'building', since, changed: Math.max(1, this.#disk.changed.size), blame });
    const isNew = await this.#disk.untilStill(() => building(null));
    if (!isNew && !this.#pending) {
      // Other files of the folder have changed, such as objects.
      this.#disk.changed.clear();
      this.#set(before);
      return;
    }
    this.#pending = false;
    if (isNew) {
      this.#accepted = new Set();
    }
    if (before.kind === 'decision') {
      this.#say('info', `Build ${before.build.number} skipped: ${before.build.number + 1} was newer`);
      this.#asked = null;
    }
    for (let doubted: number | null = null; ; ) {
      const at = performance.now();
      const reading = await readBuild(this.#accepted);
      if (this.#ending.signal.aborted) {
        return;
      }
      if (reading.kind === 'read') {
        await this.#takeBuild(at);
        return;
      }
      if (reading.kind === 'refused') {
        this.#set({ kind: 'refused' });
        return;
      }
      const { kind } = reading;
      const names = 'names' in reading ? reading.names : [];
      const limit = patience[kind];
      doubted = limit === undefined ? null : (doubted ?? at);
      if (limit !== undefined && doubted !== null && at - doubted >= limit) {
        this.#found++;
        this.#disk.changed.clear();
        const build = { ...(await this.#build()), hash: null, version: null };
        this.#say('warning', `${buildText(build)}, waits for you: it cannot be proven complete`);
        this.#set({ kind: 'decision', build, why: doubtText(kind, names) });
        return;
      }
      building(blameText(kind, names));
      this.#disk.changed.clear();
      await Promise.race([this.#disk.untilChanged(), pause(limit === undefined ? 1_000 : 500)]);
      await this.#disk.untilStill(() => building(blameText(kind, names)));
      if (this.#ending.signal.aborted) {
        return;
      }
    }
  }

  async #build(): Promise<Build> {
    const { files } = flasherStore().getState().chosen;
    const app = files.find(({ application }) => application !== null) ?? files.toSorted((a, b) => b.size - a.size)[0];
    const times = await Promise.all(
      watchedFiles().map(({ reread }) =>
        reread?.().then(
          ({ lastModified }) => lastModified,
          () => 0,
        ),
      ),
    );
    const hash = app?.sha256.slice(0, 8) ?? '';
    return {
      number: this.#found,
      at: Math.max(0, ...times.map((time) => time ?? 0)) || Date.now(),
      hash: hash === '' ? null : hash,
      version: app?.application ?? null,
    };
  }

  async #takeBuild(startedAt: number): Promise<void> {
    // The build may name other files than the one before, which are known from now on.
    await this.#disk.begin();
    this.#accepted = new Set();
    this.#pending = (await changedInUse()).length > 0;
    if (this.#pending) {
      return;
    }
    const key = bytesKey();
    if (key !== null && key === this.#onBoard) {
      this.#found++;
      this.#say('info', `${buildText(await this.#build())}: the board has it already`);
      this.#set({ kind: 'waiting', note: 'same' });
      return;
    }
    if (key !== null && key === this.#skipped) {
      this.#set({ kind: 'waiting', note: 'skipped' });
      return;
    }
    this.#found++;
    await this.#bring(await this.#build(), startedAt, null);
  }

  /**
   * Connects the board, compares, and writes the build if it needs no decision.
   *
   * @param allowed Plan that the user has allowed; null: what was agreed before.
   */
  async #bring(build: Build, startedAt: number, allowed: PlanFacts | null): Promise<void> {
    const port = this.#port;
    if (!(await this.#untilPlugged(build))) {
      return;
    }
    this.#set({ kind: 'working', build });
    await (isReady(flashOf(port)) ? planAtOnce(port) : connectAgain(port));
    const { phase, plan, failure } = flashOf(port);
    if (phase === 'failed' || phase === 'cancelled') {
      this.#failed(build, failure?.message ?? '');
      return;
    }
    const stop = flasherStore()
      .getState()
      .chosen.conflicts.find(({ stops }) => stops);
    const refusal = stop ?? plan?.refusals[0];
    if (phase !== 'planned' || plan === null || refusal !== undefined) {
      const isChip = refusal?.code === 'wrong-chip';
      const what = refusal?.what.replace(/\.$/, '') ?? 'It cannot be compared with the board';
      this.#say('error', `${buildText(build)}, not written: ${what}`);
      await this.#runProgram();
      const title = isChip
        ? `Build ${build.number} is for another chip`
        : `Build ${build.number} is not written: ${what}`;
      this.#set({ kind: 'impossible', build, title, remedy: refusal?.remedy ?? 'Look at the files.' });
      return;
    }
    const reason = reasonToAsk(plan, this.#agreed, flasherStore().getState().chosen);
    if (reason !== null && !(allowed !== null && isAgreed(allowed, plan))) {
      this.#asked = plan;
      this.#say('warning', `${buildText(build)}, waits for you: ${reason.short}`);
      await this.#runProgram();
      this.#set({ kind: 'decision', build, why: reason.text });
      return;
    }
    if ((await changedInUse()).length > 0) {
      this.#say('info', `Build ${build.number} skipped: ${build.number + 1} was newer`);
      this.#pending = true;
      return;
    }
    await this.#write(build, plan, startedAt);
  }

  /** Waits for a board that is unplugged. Resolves with false if a newer build has come, or the watch has ended. */
  async #untilPlugged(build: Build): Promise<boolean> {
    const isGone = () => benchStatus.tick.devices[this.#port]?.plugged === false;
    for (let looks = 0; isGone(); looks++) {
      // A board on its own USB is gone for a moment after each restart.
      if (looks > 3) {
        this.#set({ kind: 'gone', build });
      }
      await Promise.race([this.#disk.untilChanged(), pause(500)]);
      if (this.#ending.signal.aborted) {
        return false;
      }
      if (this.#disk.changed.size > 0 || (await changedInUse()).length > 0) {
        this.#say('info', `Build ${build.number} skipped: ${build.number + 1} was newer`);
        this.#pending = true;
        return false;
      }
    }
    return true;
  }

  async #write(build: Build, plan: PlanFacts, startedAt: number): Promise<void> {
    const port = this.#port;
    const bytes = bytesKey();
    const result: { report: WriteReport | null } = { report: null };
    let isOver = false;
    const passed = this.#countPassed(() => isOver);
    this.#isWriting = true;
    const unwatch = flasherStore().subscribe(({ flashes }) => {
      const { phase, report } = flashes[port];
      if (phase === 'restarting' && report !== null && result.report === null) {
        result.report = report;
        this.#wrote(build, report, (performance.now() - startedAt) / 1_000);
      }
    });
    await writeAsRead(port);
    unwatch();
    this.#isWriting = false;
    isOver = true;
    this.#disk.wake();
    if (result.report === null && flashOf(port).unsaved) {
      const fault = flashOf(port).heldText ?? '';
      this.#asked = plan;
      this.#say('warning', `${buildText(build)}, waits for you: ${fault}`);
      await this.#runProgram();
      this.#set({ kind: 'decision', build, why: `Nothing was written. ${fault}` });
    } else if (result.report === null) {
      this.#failed(build, flashOf(port).failure?.message ?? '');
    } else {
      this.#onBoard = bytes;
      this.#agreed = plan;
      this.#set({ kind: 'waiting', note: null });
      document.title = `● ${this.#written} written`;
    }
    await this.#skipPassed(await passed);
  }

  /** Notes a written build while its program starts, so that its line stands above the program's first. */
  #wrote(build: Build, report: WriteReport, seconds: number): void {
    const { written, same, state } = report;
    const whole = state === 'complete';
    const what = written === 0 ? 'nothing had to be written' : partText(written, same);
    this.#say(
      whole ? 'success' : 'warning',
      `${buildText(build)}, written${whole ? '' : ', not verified'}: ${what} in ${seconds.toFixed(1)} s`,
    );
    this.#written++;
    this.#last = { build, seconds };
  }

  #failed(build: Build, message: string): void {
    this.#onBoard = null;
    this.#say('error', `${buildText(build)}, not written: ${message}`);
    this.#set({ kind: 'waiting', note: null });
  }

  /** Counts the builds that are complete while another one is written. */
  async #countPassed(isOver: () => boolean): Promise<number> {
    let count = 0;
    while (!isOver() && !this.#ending.signal.aborted) {
      await this.#disk.untilChanged(isOver);
      if (this.#disk.changed.size > 0 || (!isOver() && !this.#ending.signal.aborted)) {
        const since = Date.now();
        const isNew = await this.#disk.untilStill(() => {
          if (isOver()) {
            this.#set({ kind: 'building', since, changed: Math.max(1, this.#disk.changed.size), blame: null });
          }
        });
        this.#disk.changed.clear();
        count += isNew ? 1 : 0;
      }
    }
    return count;
  }

  /** Names the builds that came during a write and are not the newest. Only the newest is written. */
  async #skipPassed(count: number): Promise<void> {
    for (let older = 1; older < count; older++) {
      this.#found++;
      this.#say('info', `Build ${this.#found} skipped: ${this.#found + 1} was newer`);
    }
    this.#pending = count > 0;
  }

  /** Lets the board run its program while a decision waits. */
  async #runProgram(): Promise<void> {
    await restart(this.#port);
    await settled(this.#port);
  }

  #decide(build: Build): void {
    const allowed = this.#asked;
    this.#asked = null;
    this.#next = async () => {
      if (allowed === null) {
        this.#accepted = new Set(['unproven', 'stale']);
        this.#found--;
      } else if ((await changedInUse()).length === 0) {
        await this.#bring(build, performance.now(), allowed);
        return;
      }
      this.#set({ kind: 'waiting', note: null });
      this.#pending = true;
    };
    this.#disk.wake();
  }

  #skip({ number }: Build): void {
    this.#skipped = bytesKey();
    this.#asked = null;
    this.#say('info', `Build ${number} skipped`);
    this.#set({ kind: 'waiting', note: 'skipped' });
  }

  /** Adds a line to the board's log. A bench that was lost is reported elsewhere. */
  #say(level: 'info' | 'success' | 'warning' | 'error', text: string): void {
    void getBench()
      .call('notice', level, text, this.#port, 'build')
      .catch(() => undefined);
  }
}

/** Shows the lines of builds alone. */
function MonitorTools() {
  const [only, setOnly] = useState(false);
  useEffect(() => {
    if (only) {
      showRows({ scope: { noticeKind: 'build' }, terms: [], matchesOnly: false });
      return () => showRows({ scope: {}, terms: [], matchesOnly: false });
    }
    return undefined;
  }, [only]);
  return (
    <Button size="sm" variant="quiet" aria-pressed={only} onClick={() => setOnly(!only)}>
      Builds only
    </Button>
  );
}

function showRows(request: FindRequest): void {
  void getBench()
    .call('find', request)
    .catch(() => undefined);
}

/** Returns a text that is the same for the same bytes at the same places; null if the browser cannot hash. */
function bytesKey(): string | null {
  const { chosen, typedOffsets } = flasherStore().getState();
  const parts = chosen.files.map(({ id, name, offset, sha256 }) => `${name} ${typedOffsets[id] ?? offset} ${sha256}`);
  return chosen.files.some(({ sha256 }) => sha256 === '') ? null : parts.join('\n');
}
