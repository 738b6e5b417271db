/** One use of the dialog: from the manifest over the board and the write to its program. */
import { systemClock } from '@wirebench/clock';
import type { WriteEvent, WriteReport, WriteStage } from '@wirebench/flasher/core';
import { sha256Hex } from '@wirebench/flasher/images';
import { makeReceipt, receiptText } from '@wirebench/flasher/receipt';
import {
  type LoadedManifestFile,
  loadBuildFiles,
  loadManifest,
  type ManifestBuild,
  type ManifestRelease,
  type ManifestRequest,
  type ManifestVersion,
  manifestAddress,
} from '@wirebench/flasher/release';
import { buildName, chooseBuild } from '@wirebench/flasher/release/builds';
import { espressifPortOf, linesOff, programSteps } from '@wirebench/port';
import type {
  BoardPlan,
  ButtonBoard,
  ConsoleLines,
  Family,
  FamilyModule,
  RemedyOf,
  Source,
} from '../boards/button-board.ts';
import { pluggedAgain, returnedPort, type SerialPorts } from '../boards/chosen-ports.ts';
import type { ConsoleScreens } from '../console/console-screens.ts';
import { type Child, make } from '../element/dom.ts';
import type { Action, FlashDialog } from '../element/flash-dialog.ts';
import type {
  WirebenchFailureDetail,
  WirebenchFlashElement,
  WirebenchFlashState,
  WirebenchProgressDetail,
  WirebenchSuccessDetail,
} from '../public-types.ts';
import { chooseSerial, chooseUsb, hasSerial, hasUsb } from './devices.ts';
import { failureOf, needsConnection } from './failure.ts';
import { reportFlash } from './report-flash.ts';
import { saveText } from './save-text.ts';
import { boardFacts, failureFacts, familyChoice, ProgressView, planFacts, question, releaseFacts } from './screens.ts';
import { phaseText, planText, resultText, titleOf } from './texts.ts';

export interface SessionParts {
  readonly dialog: FlashDialog;
  readonly options: Pick<WirebenchFlashElement, 'manifest' | 'release' | 'demo' | 'eraseFirst' | 'baudRate'>;
  readonly onState: (state: WirebenchFlashState, message: string) => void;
  readonly send: {
    (name: 'wirebench-progress', detail: WirebenchProgressDetail): void;
    (name: 'wirebench-success', detail: WirebenchSuccessDetail): void;
    (name: 'wirebench-failure', detail: WirebenchFailureDetail): void;
  };
  readonly close: () => void;
}

/** A release, and the version of it that is offered: the newest one. */
interface Offer {
  readonly release: ManifestRelease;
  readonly version: ManifestVersion;
}

/** A chosen device, with what is needed to find its board again. */
interface Device {
  source: Source;
  readonly family: Family;
  readonly isDemo: boolean;
  readonly serial: SerialPorts | null;
  /** Ports that were plugged in when the device was chosen. */
  readonly others: readonly SerialPort[];
}

/** A board with the firmware that was chosen for it. */
interface Job extends Offer {
  readonly device: Device;
  readonly board: ButtonBoard;
  readonly build: ManifestBuild;
  readonly files: readonly LoadedManifestFile[];
  readonly remedyOf: RemedyOf;
  readonly eraseAll: boolean;
}

const families: Readonly<Record<Family, () => Promise<FamilyModule>>> = {
  esp: () => import('../boards/esp.ts'),
  stm: () => import('../boards/stm.ts'),
  nrf: () => import('../boards/nordic.ts'),
  avr: () => import('../boards/avr.ts'),
};
const familyKeys = Object.keys(families) as Family[];

/** Longest time for a board to come back after a restart, in milliseconds. A Nordic bootloader may copy a program first. */
const RETURN_LIMITS = { esp: 5_000, stm: 5_000, nrf: 30_000, avr: 5_000 } as const satisfies Record<Family, number>;

/** Rates at which the port is opened after a flash, in baud. The sketches of the Arduino IDE print at 9,600. */
const CONSOLE_RATES: Readonly<Partial<Record<Family, number>>> = { avr: 9_600 };

const clock = systemClock;

export class FlashSession {
  readonly #parts: SessionParts;
  readonly #over = new AbortController();
  /** Ends the current work. */
  #work = new AbortController();
  #board: ButtonBoard | null = null;
  #family: Family = 'esp';
  #isWriting = false;
  #console: ConsoleScreens | null = null;
  /** Called when the board has answered by Improv. */
  #onWifi: () => void = () => undefined;
  #progress: ProgressView | null = null;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  start(): void {
    void this.#load();
  }

  /** Returns true if nothing is at stake. Otherwise asks, and returns false. */
  mayClose(): boolean {
    if (this.#isWriting) {
      this.#askToStop();
    }
    return !this.#isWriting;
  }

  end(): void {
    this.#over.abort();
    this.#work.abort();
    if (this.#isWriting) {
      this.#guardPage(false);
      void this.#release();
    } else {
      void this.#leaveBoard();
    }
  }

  get #isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Begins another work. Returns its signal. */
  #begin(): AbortSignal {
    this.#work.abort();
    this.#work = new AbortController();
    return this.#work.signal;
  }

  #request(signal: AbortSignal): ManifestRequest {
    return { fetch: (address, init) => fetch(address, init), signal, isSecurePage: location.protocol === 'https:' };
  }

  async #load(): Promise<void> {
    const signal = this.#begin();
    const { options } = this.#parts;
    this.#show('loading', 'Install', [make('p', {}, 'Loading…')], [], 'Loading…');
    try {
      const address = manifestAddress(options.manifest ?? options.release ?? '', document.baseURI);
      const release = await loadManifest(address, this.#request(signal));
      const [version] = release.versions;
      if (!signal.aborted && version !== undefined) {
        this.#family = familiesOf(version)[0] ?? 'esp';
        this.#offer({ release, version });
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#fail(failureOf(error), [{ label: 'Try again', isPrimary: true, run: () => void this.#load() }]);
      }
    }
  }

  /** Shows the release, and asks for a board. */
  #offer(offer: Offer, hint: string | null = null): void {
    const { release, version } = offer;
    this.#parts.dialog.labelDemo(false);
    const known = familiesOf(version);
    const family = this.#family;
    const actions: Action[] = [];
    if (hasSerial() && !release.isDemo) {
      const run = () => void this.#choose(offer, chooseSerial());
      actions.push({ label: 'Connect', isPrimary: true, run });
    }
    if (family === 'stm' && hasUsb() && !release.isDemo) {
      actions.push({ label: 'Connect over USB (DFU)', run: () => void this.#choose(offer, chooseUsb()) });
    }
    if (this.#parts.options.demo) {
      const run = () => void this.#chooseDemo(offer);
      actions.push({ label: 'Use a demo board', isPrimary: actions.length === 0, run });
    }
    if (hasSerial() && !release.isDemo) {
      actions.push({ label: 'Monitor', run: () => void this.#monitorOnly(offer) });
    }
    const again = (chosen: Family) => {
      this.#family = chosen;
      this.#offer(offer);
    };
    this.#show(
      'ready',
      `Install ${titleOf(release.name, version.version)}`,
      [
        ...releaseFacts(release, version),
        known.length > 1 ? familyChoice(known, family, again) : null,
        hint === null ? null : make('p', { class: 'alert' }, hint),
        actions.length === 0 ? make('p', { class: 'alert' }, 'This browser cannot reach such a board.') : null,
        actions.length === 0 || release.isDemo
          ? null
          : make('p', {}, 'Plug the board in with a cable that carries data.'),
      ],
      actions,
      hint ?? 'Ready to connect a board',
    );
  }

  async #choose(offer: Offer, choosing: Promise<Source | null>): Promise<void> {
    try {
      const source = await choosing;
      if (this.#isOver) {
        return;
      }
      if (source === null) {
        this.#offer(offer, 'No board was chosen. If yours is not in the list, check its cable and its driver.');
        return;
      }
      const serial = hasSerial() ? navigator.serial : null;
      const ports = (await serial?.getPorts()) ?? [];
      const others = ports.filter((port) => source.kind !== 'serial' || port !== source.port);
      await this.#connect(offer, { source, family: this.#family, isDemo: false, serial, others });
    } catch (error) {
      this.#fail(failureOf(error), [this.#back(offer)]);
    }
  }

  async #chooseDemo(offer: Offer): Promise<void> {
    const signal = this.#begin();
    this.#show('connecting', 'Connecting', [make('p', {}, 'Starting a demo board…')], [], 'Starting a demo board');
    try {
      const { createDemoBoard } = await import('../boards/demo.ts');
      const { builds } = offer.version;
      const ofFamily = builds.filter(({ deviceFamily }) => deviceFamily === this.#family);
      const demo = createDemoBoard(ofFamily, clock);
      if (signal.aborted) {
        return;
      }
      if (demo === null) {
        this.#offer(offer, 'There is no demo board for this release.');
        return;
      }
      const { family, board } = demo;
      const source: Source = { kind: 'serial', port: board.port };
      await this.#connect(offer, { source, family, isDemo: true, serial: board.serial, others: [] });
    } catch (error) {
      this.#fail(failureOf(error), [this.#back(offer)]);
    }
  }

  #back(offer: Offer): Action {
    return {
      label: 'Choose another board',
      run: () => {
        this.#work.abort();
        void this.#leaveBoard();
        this.#offer(offer);
      },
    };
  }

  /** Releases the board and its console, if they are open. */
  async #release(): Promise<void> {
    const [board, console] = [this.#board, this.#console];
    this.#board = null;
    this.#console = null;
    await Promise.all([board?.close(), console?.close()]);
  }

  async #connect(offer: Offer, device: Device, byHand = false): Promise<void> {
    const signal = this.#begin();
    const { remedyOf, board } = await this.#reach(device, signal, byHand, null, [this.#back(offer)]);
    if (board === null) {
      return;
    }
    if (board instanceof Error) {
      const failure = failureOf(board, remedyOf);
      const again = (hand: boolean) => () => void this.#connect(offer, device, hand);
      this.#fail(failure, [
        { label: 'Try again', isPrimary: true, run: again(false) },
        ...(device.isDemo || device.family === 'nrf' || device.source.kind === 'usb'
          ? []
          : [{ label: 'I started its bootloader by hand', run: again(true) }]),
        this.#back(offer),
      ]);
      return;
    }
    await this.#match(offer, device, board, remedyOf);
  }

  /**
   * Connects the board of a device.
   *
   * @returns The board, or the error; null after a cancel.
   */
  async #reach(
    device: Device,
    signal: AbortSignal,
    byHand: boolean,
    expectedId: string | null,
    actions: readonly Action[],
  ): Promise<{ readonly remedyOf: RemedyOf; readonly board: ButtonBoard | Error | null }> {
    await this.#release();
    const step = make('span', {}, 'Starting');
    this.#parts.dialog.labelDemo(device.isDemo);
    this.#show('connecting', 'Connecting', [make('p', {}, step, '…')], actions, 'Connecting');
    let remedyOf: RemedyOf = () => '';
    try {
      const family = await families[device.family]();
      remedyOf = family.remedyOf;
      signal.throwIfAborted();
      const board = await family.connectBoard({
        clock,
        signal,
        source: device.source,
        isDemo: device.isDemo,
        baudRate: this.#parts.options.baudRate,
        byHand,
        expectedId,
        returned: (late) => this.#returned(device, late),
        onStep: (text) => {
          step.textContent = text;
          this.#parts.onState('connecting', text);
        },
      });
      if (signal.aborted) {
        await board.close();
        return { remedyOf, board: null };
      }
      this.#board = board;
      return { remedyOf, board };
    } catch (error) {
      return { remedyOf, board: signal.aborted ? null : asError(error) };
    }
  }

  /** Resolves with the port as which the board of a device comes back, and remembers it. */
  async #returned(device: Device, signal: AbortSignal): Promise<SerialPort> {
    const { source, serial, others } = device;
    if (source.kind !== 'serial' || serial === null) {
      throw new DOMException('This device has no port.', 'NotFoundError');
    }
    const port = await returnedPort(serial, source.port, others, signal);
    device.source = { kind: 'serial', port };
    return port;
  }

  /** Chooses the build for the board, or lets a person choose among those that fit. */
  async #match(offer: Offer, device: Device, board: ButtonBoard, remedyOf: RemedyOf): Promise<void> {
    const choice = chooseBuild(offer.version.builds, board.facts);
    if (choice.kind === 'chosen') {
      await this.#prepare(offer, device, board, choice.build, remedyOf);
      return;
    }
    const { reason, sentence, candidates } = choice;
    const failure = { code: reason, message: sentence, remedy: '', boardState: 'unchanged' } as const;
    if (candidates.length === 0) {
      void this.#leaveBoard();
      this.#fail(failure, [this.#back(offer)], 'This board does not fit');
      return;
    }
    let chosen = candidates[0];
    this.#show(
      'planned',
      'Which build?',
      [
        make('p', {}, sentence),
        question(
          'Choose the build for this board',
          candidates.map((build) => ({
            label: buildName(build),
            isChosen: build === chosen,
            run: () => {
              chosen = build;
            },
          })),
        ),
      ],
      [
        {
          label: 'Continue',
          isPrimary: true,
          run: () => {
            if (chosen !== undefined) {
              void this.#prepare(offer, device, board, chosen, remedyOf);
            }
          },
        },
        this.#back(offer),
      ],
      sentence,
    );
  }

  /** Starts the program of a board that is not needed any more, and releases the board. */
  async #leaveBoard(): Promise<void> {
    await this.#board?.restart().catch(() => undefined);
    await this.#release();
  }

  /** Loads the files of a build, and compares them with the board. */
  async #prepare(
    offer: Offer,
    device: Device,
    board: ButtonBoard,
    build: ManifestBuild,
    remedyOf: RemedyOf,
  ): Promise<void> {
    const signal = this.#begin();
    this.#show('planning', 'Comparing', [make('p', {}, 'Loading the firmware…')], [this.#back(offer)], 'Comparing');
    try {
      const files = await loadBuildFiles(build, this.#request(signal));
      const eraseAll = board.canEraseAll && this.#parts.options.eraseFirst;
      const job: Job = { ...offer, device, board, build, files, remedyOf, eraseAll };
      const plan = await this.#plan(job, signal);
      if (!signal.aborted) {
        this.#review(job, plan);
      }
    } catch (error) {
      if (!signal.aborted) {
        void this.#leaveBoard();
        const again = () => void this.#connect(offer, device);
        this.#fail(failureOf(error, remedyOf), [
          { label: 'Try again', isPrimary: true, run: again },
          this.#back(offer),
        ]);
      }
    }
  }

  #plan({ board, build, release, files, eraseAll }: Job, signal: AbortSignal): Promise<BoardPlan> {
    const { deviceModel: model, guards } = build;
    return board.plan({ files, model, guards, isDemoRelease: release.isDemo, eraseAll, signal });
  }

  /** Shows the board and what a write will do. */
  #review(job: Job, plan: BoardPlan, focusesAnswer = false): void {
    const { board, release, version, eraseAll } = job;
    const canWrite = plan.refusals.length === 0;
    const answers =
      canWrite && board.canEraseAll
        ? question('Stored Wi-Fi and settings', [
            { label: 'Keep them', isChosen: !eraseAll, run: () => void this.#planAgain({ ...job, eraseAll: false }) },
            {
              label: 'Erase everything first',
              isChosen: eraseAll,
              run: () => void this.#planAgain({ ...job, eraseAll: true }),
            },
          ])
        : null;
    const write = plan.toWrite === 0 && !plan.eraseAll ? 'Verify' : 'Write';
    this.#show(
      'planned',
      canWrite ? `Install ${titleOf(release.name, version.version)}` : 'This firmware cannot be written',
      [boardFacts(board), ...planFacts(plan), answers],
      [...(canWrite ? [{ label: write, isPrimary: true, run: () => void this.#write(job) }] : []), this.#back(job)],
      canWrite ? planText(plan) : (plan.refusals[0]?.what ?? ''),
      (focusesAnswer && answers?.querySelector<HTMLElement>('input:checked')) || undefined,
    );
  }

  /** Plans with another answer to the question about the erase. */
  async #planAgain(job: Job): Promise<void> {
    const signal = this.#begin();
    this.#parts.dialog.setActions([this.#back(job)]);
    try {
      const plan = await this.#plan(job, signal);
      if (!signal.aborted) {
        this.#review(job, plan, true);
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#fail(failureOf(error, job.remedyOf), [this.#back(job)]);
      }
    }
  }

  async #write(job: Job): Promise<void> {
    const signal = this.#begin();
    const { board } = job;
    const view = new ProgressView();
    this.#progress = view;
    this.#guardPage(true);
    this.#showProgress();
    let stage: WriteStage = 'writing';
    try {
      const report = await board.write({
        signal,
        onStage: (next) => {
          stage = next;
          this.#report(view, { phase: stage, done: 0, total: 0, speed: null, remaining: null });
        },
        onEvent: (event) => this.#followWrite(view, event),
      });
      await this.#finish(job, report);
    } catch (error) {
      this.#guardPage(false);
      // The erase is done once the writing has begun. It must not be repeated.
      const rest = stage === 'writing' ? { ...job, eraseAll: false } : job;
      this.#failWrite(rest, failureOf(error, job.remedyOf));
    }
  }

  #showProgress(): void {
    if (this.#progress !== null) {
      const view = this.#progress;
      this.#show(
        'writing',
        'Writing',
        [...view.children, make('p', {}, 'Leave the board plugged in.')],
        [{ label: 'Stop', run: () => this.#askToStop() }],
        phaseText.writing,
      );
    }
  }

  #askToStop(): void {
    this.#show(
      'writing',
      'Stop writing?',
      [make('p', {}, 'The board will not start its program until the rest is written.')],
      [
        { label: 'Keep writing', isPrimary: true, run: () => this.#showProgress() },
        { label: 'Stop writing', run: () => this.#work.abort() },
      ],
      'Stop writing?',
    );
  }

  #followWrite(view: ProgressView, event: WriteEvent): void {
    if (event.type === 'progress') {
      const { phase, done, total, speed, remaining } = event;
      this.#report(view, { phase, done, total, speed, remaining });
    }
  }

  #report(view: ProgressView, progress: Omit<WirebenchProgressDetail, 'percent'>): void {
    const { done, total } = progress;
    const detail = { ...progress, percent: total === 0 ? 0 : (done / total) * 100 };
    view.update(detail);
    this.#parts.send('wirebench-progress', detail);
  }

  async #finish(job: Job, report: WriteReport): Promise<void> {
    const { device, board, release, version, build } = job;
    // The write is verified. A board that does not restart by itself has a reset button.
    await board.restart().catch(() => undefined);
    await this.#release();
    this.#guardPage(false);
    if (!board.isDemo && report.written > 0) {
      reportFlash(release, version, build, { result: 'success', chip: board.chip, errorCode: null });
    }
    this.#parts.send('wirebench-success', successOf(job, report));
    const receipt = await receiptOf(job, report);
    if (this.#isOver) {
      return;
    }
    this.#showSuccess(job, report, receipt);
    if (board.console !== null && device.source.kind === 'serial') {
      if (board.vanishes && device.source.port.connected === false) {
        await this.#awaitReturn(device);
      }
      const back = () => this.#showSuccess(job, report, receipt);
      const seconds = build.improv === false ? 0 : release.improvWaitTime;
      await this.#listen(device, board.console, back, seconds).catch(() => undefined);
      if (!this.#isOver && this.#console !== null) {
        this.#parts.dialog.setActions(this.#successActions(job, receipt));
      }
    }
  }

  #showSuccess(job: Job, report: WriteReport, receipt: string): void {
    const { board } = job;
    const text = resultText(report);
    this.#show(
      'success',
      report.state === 'complete' ? 'Written and verified' : 'Written',
      [
        make('p', {}, text),
        boardFacts(board),
        board.afterwards === null ? null : make('p', { class: 'alert' }, board.afterwards),
      ],
      this.#successActions(job, receipt),
      text,
    );
    const update = () => this.#parts.dialog.setActions(this.#successActions(job, receipt));
    this.#onWifi = update;
  }

  #successActions(job: Job, receipt: string): Action[] {
    const console = this.#console;
    const hasWifi = console?.hasWifi === true;
    return [
      ...(hasWifi ? [{ label: 'Set up Wi-Fi', isPrimary: true, run: () => this.#open(console, 'wifi') }] : []),
      ...(console === null ? [] : [{ label: 'Monitor', run: () => this.#open(console, 'log') }]),
      { label: 'Save receipt', run: () => saveText(`${fileNameOf(job)}-receipt.txt`, receipt) },
      this.#back(job),
      { label: 'Close', isPrimary: !hasWifi, run: this.#parts.close },
    ];
  }

  #open(console: ConsoleScreens | null, screen: 'log' | 'wifi'): void {
    this.#onWifi = () => undefined;
    console?.open(screen);
  }

  /**
   * Opens the console of a board whose program runs.
   *
   * @param back Leaves the console's screens.
   * @param improvSeconds Longest time for an answer by Improv; null for the default, 0 to ask for none.
   * @throws OpenError
   */
  async #listen(
    device: Device,
    lines: ConsoleLines,
    back: () => void,
    improvSeconds: number | null,
  ): Promise<ConsoleScreens | null> {
    if (device.source.kind !== 'serial') {
      return null;
    }
    const { ConsoleScreens } = await import('../console/console-screens.ts');
    await this.#console?.close();
    const baudRate = CONSOLE_RATES[device.family];
    const console = await ConsoleScreens.open({
      clock,
      ...(baudRate !== undefined && { baudRate }),
      port: device.source.port,
      lines,
      improvSeconds,
      back,
      show: (title, body, actions, message) => this.#show('console', title, body, actions, message),
      onWifi: () => this.#onWifi(),
    });
    if (this.#isOver) {
      await console.close();
      return null;
    }
    this.#console = console;
    return console;
  }

  /** Listens to the program of a board without flashing it. */
  async #monitorOnly(offer: Offer): Promise<void> {
    try {
      const source = await chooseSerial();
      if (source?.kind !== 'serial' || this.#isOver) {
        return;
      }
      await this.#release();
      const kind = this.#family === 'esp' ? espressifPortOf(source.port.getInfo()) : null;
      const lines: ConsoleLines =
        kind === 'uart' ? { atOpen: linesOff, reset: programSteps(kind) } : { atOpen: null, reset: null };
      const device: Device = { source, family: this.#family, isDemo: false, serial: navigator.serial, others: [] };
      const back = () => {
        void this.#release();
        this.#offer(offer);
      };
      const console = await this.#listen(device, lines, back, null);
      console?.open('log');
    } catch (error) {
      this.#fail(failureOf(error), [this.#back(offer)]);
    }
  }

  /** Waits until a board on its own USB is back. A board that is late is found when it is needed. */
  async #awaitReturn(device: Device): Promise<void> {
    const late = new AbortController();
    const cancel = clock.schedule(RETURN_LIMITS[device.family], () => late.abort());
    await this.#returned(device, late.signal).catch(() => undefined);
    cancel();
  }

  #failWrite(job: Job, failure: WirebenchFailureDetail): void {
    const { board, release, version, build } = job;
    if (!board.isDemo && failure.code !== 'cancelled') {
      reportFlash(release, version, build, { result: 'failure', chip: board.chip, errorCode: failure.code });
    }
    if (!this.#isOver) {
      const run = () => void this.#resume(job, failure.code);
      this.#fail(failure, [{ label: 'Write the rest', isPrimary: true, run }, this.#back(job)], 'Not finished');
    }
  }

  /** Continues a write. Equal regions are found by their hashes, so only the rest is written. */
  async #resume(job: Job, code: string): Promise<void> {
    const { device, remedyOf } = job;
    const signal = this.#begin();
    const run = () => void this.#resume(job, 'port-gone');
    const retry = [{ label: 'Write the rest', isPrimary: true, run }, this.#back(job)];
    try {
      let { board } = job;
      if (needsConnection(code) || board.over.aborted) {
        if (!(await this.#findAgain(device))) {
          return;
        }
        const reached = await this.#reach(device, signal, false, board.id, [this.#back(job)]);
        if (reached.board === null) {
          return;
        }
        if (reached.board instanceof Error) {
          throw reached.board;
        }
        board = reached.board;
      }
      const next = { ...job, board };
      const plan = await this.#plan(next, signal);
      if (signal.aborted) {
        return;
      }
      if (plan.refusals.length > 0) {
        this.#review(next, plan);
      } else {
        await this.#write(next);
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#fail(failureOf(error, remedyOf), retry, 'Not finished');
      }
    }
  }

  /** Finds the port of a board that was unplugged, or has it chosen again. Returns false without a choice. */
  async #findAgain(device: Device): Promise<boolean> {
    const { source, serial } = device;
    if (source.kind === 'usb') {
      const chosen = await chooseUsb();
      device.source = chosen ?? source;
      return chosen !== null;
    }
    const again = serial === null ? null : await pluggedAgain(serial, source.port);
    const chosen: Source | null = again === null ? await chooseSerial() : { kind: 'serial', port: again };
    device.source = chosen ?? source;
    return chosen !== null;
  }

  #fail(failure: WirebenchFailureDetail, actions: readonly Action[], title = 'This did not work'): void {
    if (!this.#isOver) {
      this.#show('failure', title, failureFacts(failure), actions, failure.message);
      this.#parts.send('wirebench-failure', failure);
    }
  }

  #show(
    state: WirebenchFlashState,
    title: string,
    body: readonly Child[],
    actions: readonly Action[],
    message: string,
    focus?: HTMLElement,
  ): void {
    if (this.#isOver) {
      return;
    }
    const { dialog, onState } = this.#parts;
    this.#onWifi = () => undefined;
    dialog.show({ title, body, actions, ...(focus !== undefined && { focus }) });
    dialog.announce(message);
    onState(state, message);
  }

  /** While a board is written, leaving the page asks first. */
  #guardPage(isWriting: boolean): void {
    this.#isWriting = isWriting;
    if (isWriting) {
      addEventListener('beforeunload', askToStay);
    } else {
      removeEventListener('beforeunload', askToStay);
    }
  }
}

function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Returns the families of a version's builds, each once, in their order. */
function familiesOf({ builds }: ManifestVersion): Family[] {
  const named = builds.map(({ deviceFamily }) => deviceFamily);
  return [...new Set(named)].flatMap((name) => familyKeys.find((family) => family === name) ?? []);
}

function successOf(
  { board, release, version }: Job,
  { state, regions, written, same, duration }: WriteReport,
): WirebenchSuccessDetail {
  return {
    name: release.name,
    version: version.version,
    chip: board.chip,
    boardId: board.id,
    demo: board.isDemo,
    verified: state === 'complete',
    written,
    same,
    duration,
    regions: regions.map(({ offset, length, outcome, proof }) => ({ offset, length, outcome, proof })),
  };
}

async function receiptOf({ board, release, version, files }: Job, report: WriteReport): Promise<string> {
  const hashed = await Promise.all(
    files.map(async ({ file, bytes }) => ({
      name: file.name,
      address: file.offset,
      size: bytes.length,
      sha256: file.sha256 ?? (await sha256Hex(bytes)),
      application: null,
    })),
  );
  return receiptText(
    makeReceipt({
      board: { name: board.chip, model: board.name, id: board.id, demo: board.isDemo },
      idName: board.idName,
      report,
      files: hashed,
      release: { name: release.name, version: version.version },
      inOrder: !board.hasAddresses,
      at: Date.now(),
    }),
  );
}

const fileNameOf = ({ release, version, board }: Job) =>
  [release.name, version.version, board.id ?? board.chip]
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z\d.]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
