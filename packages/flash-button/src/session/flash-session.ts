/** One use of the dialog: from the manifest over the board and the write to its program. */
import { type FamilyId, familyTraits } from '@wirebench/boards';
import { systemClock } from '@wirebench/clock';
import { type ConsoleLines, familiesOf, titleOf } from '@wirebench/flasher/callers';
import {
  loadBuildFiles,
  loadManifest,
  type ManifestBuild,
  type ManifestRequest,
  manifestAddress,
} from '@wirebench/flasher/release';
import { buildName, chooseBuild, otherVersionText, versionFor } from '@wirebench/flasher/release/builds';
import { espPortKind, linesOff, programSteps } from '@wirebench/port';
import { type BoardList, missingBoardText } from '@wirebench/port/missing-board';
import { hasSerialPorts, usesUsbPorts } from '@wirebench/port/port-interfaces';
import type { PhoneList } from '@wirebench/usb-serial';
import type { ButtonBoard, RemedyOf, Source } from '../boards/button-board.ts';
import { make } from '../element/dom.ts';
import type { Action } from '../element/flash-dialog.ts';
import { supportWords, waysElsewhere } from '../element/support.ts';
import { BoardWrite } from './board-write.ts';
import { CurrentWork } from './current-work.ts';
import { type Choice, chooseSerial, chooseUsb, prepareDevices, serialPorts, usbDevices, usbWayOf } from './devices.ts';
import { failureOf } from './failure.ts';
import type { Device, FlashJob, Offer } from './flash-job.ts';
import { HeldBoard } from './held-board.ts';
import { familyChoice, missingBoard, question, releaseFacts } from './screens.ts';
import type { SessionParts } from './session-parts.ts';
import { SessionScreen } from './session-screen.ts';

export class FlashSession {
  readonly #parts: SessionParts;
  readonly #screen: SessionScreen;
  readonly #work = new CurrentWork();
  readonly #held: HeldBoard;
  readonly #writing: BoardWrite;
  #family: FamilyId = 'esp';

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#screen = new SessionScreen(parts);
    this.#held = new HeldBoard(parts, this.#screen);
    this.#writing = new BoardWrite({
      ...parts,
      screen: this.#screen,
      work: this.#work,
      held: this.#held,
      back: (offer) => this.#back(offer),
    });
  }

  start(): void {
    void this.#load();
  }

  /** Returns true if nothing is at stake. Otherwise asks, and returns false. */
  mayClose(): boolean {
    const { isWriting } = this.#writing;
    if (isWriting) {
      this.#writing.askToStop();
    }
    return !isWriting;
  }

  end(): void {
    this.#screen.end();
    this.#work.cancel();
    if (this.#writing.isWriting) {
      this.#writing.markEnded();
      void this.#held.release();
    } else {
      void this.#held.leave();
    }
  }

  #request(signal: AbortSignal): ManifestRequest {
    return {
      fetch: (address, init) => fetch(address, init),
      signal,
      isSecurePage: location.protocol === 'https:',
      page: document.baseURI,
    };
  }

  async #load(): Promise<void> {
    const signal = this.#work.begin();
    const { options } = this.#parts;
    this.#screen.show('loading', 'Install', [make('p', {}, 'Loading…')], [], 'Loading…');
    try {
      await prepareDevices();
      const address = manifestAddress(options.manifest ?? options.release ?? '', document.baseURI, 'made');
      const release = await loadManifest(address, this.#request(signal));
      const [version] = release.versions;
      if (!signal.aborted && version !== undefined) {
        this.#family = familiesOf(version)[0] ?? 'esp';
        this.#offer({ release, version });
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#screen.fail(failureOf(error), [{ label: 'Try again', isPrimary: true, run: () => void this.#load() }]);
      }
    }
  }

  /**
   * Shows the release, and asks for a board.
   *
   * @param hint A sentence, or the browser's list that was closed without a choice.
   */
  #offer(offer: Offer, hint: string | { readonly list: BoardList } | null = null): void {
    const { release, version } = offer;
    this.#parts.dialog.labelDemo(false);
    const known = familiesOf(version);
    const family = this.#family;
    const actions: Action[] = [];
    const list = hint !== null && typeof hint === 'object' ? hint.list : null;
    if (hasSerialPorts() && !release.isDemo) {
      actions.push(...this.#portActions(offer, list));
    }
    const byUsb = release.isDemo ? null : this.#usbAction(offer, family);
    if (byUsb !== null) {
      actions.push(byUsb);
    }
    if (this.#parts.options.demo) {
      const run = () => void this.#chooseDemo(offer);
      actions.push({ label: 'Use a demo board', isPrimary: actions.length === 0, run });
    }
    if (hasSerialPorts() && !release.isDemo) {
      actions.push({ label: 'Monitor', run: () => void this.#monitorOnly(offer) });
    }
    const again = (chosen: FamilyId) => {
      this.#family = chosen;
      this.#offer(offer);
    };
    this.#screen.show(
      'ready',
      `Install ${titleOf(release.name, version.version)}`,
      [
        ...releaseFacts(release, version),
        known.length > 1 ? familyChoice(known, family, again) : null,
        typeof hint === 'string' ? make('p', { class: 'alert' }, hint) : list === null ? null : missingBoard(list),
        actions.length === 0
          ? make('p', { class: 'alert' }, supportWords('unsupported').text, ...waysElsewhere())
          : null,
        actions.length === 0 || release.isDemo || list !== null
          ? null
          : make('p', {}, 'Plug the board in with a cable that carries data.'),
      ],
      actions,
      typeof hint === 'string' ? hint : hint === null ? 'Ready to connect a board' : missingBoardText.title,
    );
  }

  /**
   * Returns the actions that have a port chosen. A phone has two lists: after that of Web Serial was closed, the other
   * one takes a press of its own.
   */
  #portActions(offer: Offer, closed: BoardList | null): Action[] {
    const choose = (list?: PhoneList) => () => void this.#choose(offer, chooseSerial(list));
    if (!usesUsbPorts() || closed === null || closed === 'usb') {
      return [{ label: 'Connect', isPrimary: true, run: choose() }];
    }
    const isSerial = closed === 'serial';
    return [
      { label: 'Look again', isPrimary: true, run: choose(isSerial ? 'serial' : 'usb') },
      ...(isSerial ? [{ label: 'Not in the list? Look over USB', run: choose('usb') }] : []),
    ];
  }

  /** Returns the action that has a USB bootloader chosen; null for families and browsers without one. */
  #usbAction(offer: Offer, family: FamilyId): Action | null {
    const way = usbWayOf(family);
    return way === null ? null : { label: way.label, run: () => void this.#choose(offer, chooseUsb(family)) };
  }

  /** @param choosing A list of the browser that is open. */
  async #choose(offer: Offer, choosing: Promise<Choice>): Promise<void> {
    try {
      const choice = await choosing;
      if (this.#screen.isOver || choice === null) {
        return;
      }
      if ('closed' in choice) {
        this.#offer(offer, { list: choice.closed });
        return;
      }
      const { source } = choice;
      const serial = await serialPorts();
      const ports = (await serial?.getPorts()) ?? [];
      const others = ports.filter((port) => source.kind !== 'serial' || port !== source.port);
      await this.#connect(offer, { source, family: this.#family, isDemo: false, serial, others, usb: usbDevices() });
    } catch (error) {
      this.#screen.fail(failureOf(error), [this.#back(offer)]);
    }
  }

  async #chooseDemo(offer: Offer): Promise<void> {
    const signal = this.#work.begin();
    this.#screen.show(
      'connecting',
      'Connecting',
      [make('p', {}, 'Starting a demo board…')],
      [],
      'Starting a demo board',
    );
    try {
      const { createDemoBoard } = await import('../boards/demo.ts');
      const { builds } = offer.version;
      const ofFamily = builds.filter(({ deviceFamily, fault }) => deviceFamily === this.#family && fault === null);
      const demo = createDemoBoard(ofFamily, systemClock);
      if (signal.aborted) {
        return;
      }
      if (demo === null) {
        this.#offer(offer, 'There is no demo board for this release.');
        return;
      }
      const { family, board } = demo;
      const { serial, usb } = board;
      const source: Source = { kind: 'serial', port: await board.port };
      await this.#connect(offer, { source, family, isDemo: true, serial, others: [], usb });
    } catch (error) {
      this.#screen.fail(failureOf(error), [this.#back(offer)]);
    }
  }

  #back(offer: Offer): Action {
    return {
      label: 'Choose another board',
      run: () => {
        this.#work.cancel();
        void this.#held.leave();
        this.#offer(offer);
      },
    };
  }

  async #connect(offer: Offer, device: Device, byHand = false): Promise<void> {
    const signal = this.#work.begin();
    const options = { signal, byHand, expectedId: null, actions: [this.#back(offer)] };
    const { remedyOf, startsByHand, board } = await this.#held.reach(device, options);
    if (board === null) {
      return;
    }
    if (board instanceof Error) {
      const failure = failureOf(board, remedyOf);
      const again = (hand: boolean) => () => void this.#connect(offer, device, hand);
      const byUsb = device.isDemo || device.source.kind === 'usb' ? null : this.#usbAction(offer, device.family);
      this.#screen.fail(failure, [
        { label: 'Try again', isPrimary: true, run: again(false) },
        ...(device.isDemo || !startsByHand || device.source.kind === 'usb'
          ? []
          : [{ label: 'I started its bootloader by hand', run: again(true) }]),
        ...(byUsb === null ? [] : [byUsb]),
        this.#back(offer),
      ]);
      return;
    }
    await this.#match(offer, device, board, remedyOf);
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
    const other = candidates.length > 0 ? null : versionFor(offer.release.versions, board.facts);
    if (other !== null) {
      const { title, text, label } = otherVersionText(board.name, other.version);
      const run = () => void this.#match({ ...offer, version: other }, device, board, remedyOf);
      const actions = [{ label, isPrimary: true, run }, this.#back(offer)];
      this.#screen.show('planned', title, [make('p', {}, text)], actions, `${title}. ${text}`);
      return;
    }
    if (candidates.length === 0) {
      void this.#held.leave();
      this.#screen.fail(failure, [this.#back(offer)], 'This board does not fit');
      return;
    }
    let chosen = candidates[0];
    this.#screen.show(
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

  /** Loads the files of a build, and compares them with the board. */
  async #prepare(
    offer: Offer,
    device: Device,
    board: ButtonBoard,
    build: ManifestBuild,
    remedyOf: RemedyOf,
  ): Promise<void> {
    const signal = this.#work.begin();
    this.#screen.show(
      'planning',
      'Comparing',
      [make('p', {}, 'Loading the firmware…')],
      [this.#back(offer)],
      'Comparing',
    );
    try {
      const files = await loadBuildFiles(build, this.#request(signal));
      const eraseAll = board.canEraseAll && this.#parts.options.eraseFirst;
      const job: FlashJob = { ...offer, device, board, build, files, remedyOf, eraseAll };
      const plan = await this.#writing.review.plan(job, signal);
      if (!signal.aborted) {
        this.#writing.review.show(job, plan);
      }
    } catch (error) {
      if (!signal.aborted) {
        void this.#held.leave();
        const again = () => void this.#connect(offer, device);
        this.#screen.fail(failureOf(error, remedyOf), [
          { label: 'Try again', isPrimary: true, run: again },
          this.#back(offer),
        ]);
      }
    }
  }

  /** Listens to the program of a board without flashing it. */
  async #monitorOnly(offer: Offer): Promise<void> {
    try {
      const choice = await chooseSerial();
      if (choice === null || this.#screen.isOver) {
        return;
      }
      if ('closed' in choice) {
        this.#offer(offer, { list: choice.closed });
        return;
      }
      const { source } = choice;
      if (source.kind !== 'serial') {
        return;
      }
      await this.#held.release();
      const kind = familyTraits[this.#family].hasResetLines ? espPortKind(source.port.getInfo()) : null;
      const lines: ConsoleLines =
        kind === 'uart' ? { atOpen: linesOff, reset: programSteps(kind) } : { atOpen: null, reset: null };
      const serial = await serialPorts();
      const device: Device = { source, family: this.#family, isDemo: false, serial, others: [] };
      const back = () => {
        void this.#held.release();
        this.#offer(offer);
      };
      const console = await this.#held.listen(device, lines, { back, improvSeconds: null });
      console?.open('log');
    } catch (error) {
      this.#screen.fail(failureOf(error), [this.#back(offer)]);
    }
  }
}
