/** Contents of the dialog's screens. */

import { type FamilyId, familyWords } from '@wirebench/boards';
import { figures, phaseText, planText } from '@wirebench/flasher/callers';
import { boardStateText, type FailureText, plainWarning, sizeText } from '@wirebench/flasher/core';
import type { SavedFile } from '@wirebench/flasher/family';
import type { ManifestRelease, ManifestVersion } from '@wirebench/flasher/release';
import { anyOf, chipsOf } from '@wirebench/flasher/release/builds';
import { operatingSystem, phoneKind } from '@wirebench/port/browser-support';
import {
  type BoardList,
  type CauseSystem,
  causeSystemOf,
  causeSystems,
  missingBoardCauses,
  missingBoardHead,
} from '@wirebench/port/missing-board';
import type { BoardPlan, ButtonBoard, Finding } from '../boards/button-board.ts';
import { type Child, make } from '../element/dom.ts';
import type { WirebenchFailureDetail, WirebenchProgressDetail } from '../public-types.ts';

const demoBadge = () => make('span', { class: 'badge', part: 'demo' }, 'Demo');

/** Describes a release: its boards and its publisher. */
export function releaseFacts(release: ManifestRelease, { builds, faults }: ManifestVersion): Child[] {
  return [
    make('p', {}, `For ${anyOf(chipsOf(builds.filter(({ fault }) => fault === null)))}.`),
    ...faults.map((fault) => make('p', { class: 'alert' }, fault)),
    release.publisher === null ? null : make('p', {}, `Published by ${release.publisher} on ${release.host}.`),
    release.isDemo ? make('p', {}, demoBadge(), ' This release runs on demo boards only.') : null,
  ];
}

/** Says what to check when the browser's list was closed without a choice. The system can be switched. */
export function missingBoard(list: BoardList): HTMLElement {
  const causes = make('ol', {});
  const fill = (system: CauseSystem) =>
    causes.replaceChildren(
      ...missingBoardCauses(list, system).map(({ title, text, commands = [], links = [], names = [] }) =>
        make(
          'li',
          {},
          make('strong', {}, title),
          make('p', {}, text),
          ...links.map(({ label, href }) =>
            make('p', {}, make('a', { href, target: '_blank', rel: 'noreferrer' }, label)),
          ),
          ...[...commands, ...names].map((line) => make('p', {}, make('code', {}, line))),
        ),
      ),
    );
  const detected = causeSystemOf(operatingSystem(), phoneKind() !== null);
  const { title, text } = missingBoardHead(list, detected);
  fill(detected);
  const systems = question(
    'Your system',
    causeSystems.map(({ value, label }) => ({ label, isChosen: value === detected, run: () => fill(value) })),
  );
  return make(
    'section',
    { 'aria-label': title, part: 'missing-board' },
    make('p', {}, make('strong', {}, `${title}. `), text),
    detected === 'phone' ? null : systems,
    causes,
  );
}

/** Asks for the kind of board. Browsers do not tell it before the board is connected. */
export function familyChoice(
  families: readonly FamilyId[],
  chosen: FamilyId,
  choose: (family: FamilyId) => void,
): Child {
  return question(
    'Which board do you have?',
    families.map((family) => ({
      label: familyWords[family].full,
      isChosen: family === chosen,
      run: () => choose(family),
    })),
  );
}

interface Answer {
  readonly label: string;
  /** Further words, in a few letters; empty or missing without any. */
  readonly note?: string;
  readonly isChosen: boolean;
  readonly run: () => void;
}

export function question(text: string, answers: readonly Answer[]): HTMLFieldSetElement {
  return make(
    'fieldset',
    {},
    make('legend', {}, text),
    ...answers.map(({ label, note = '', isChosen, run }) => {
      const input = make('input', { type: 'radio', name: text, checked: isChosen });
      input.addEventListener('change', run);
      return make('label', {}, input, make('span', {}, note === '' ? label : `${label}, ${note}`));
    }),
  );
}

export function boardFacts(board: ButtonBoard): HTMLDListElement {
  const flashSize = board.facts.flashSize ?? null;
  const rows: [string, Child[]][] = [
    ['Board', [board.name, ...(board.isDemo ? [' ', demoBadge()] : [])]],
    ...(flashSize === null ? [] : [['Flash', [sizeText(flashSize)]] as [string, Child[]]]),
    ...(board.id === null ? [] : [[board.idName, [make('code', {}, board.id)]] as [string, Child[]]]),
  ];
  return make('dl', {}, ...rows.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, ...value)]));
}

/** Time after which the browser has taken the file, in milliseconds. */
const TAKEN = 60_000;

/** Saves a file, like a download. */
export function saveContent(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  make('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), TAKEN);
}

export const saveBoardFile = ({ name, bytes }: SavedFile) => saveContent(name, new Blob([Uint8Array.from(bytes)]));

/** Links that save files of the board, which a write takes. */
export function boardFiles(files: readonly SavedFile[]): Child[] {
  return files.map(({ name, bytes }) => {
    const href = URL.createObjectURL(new Blob([Uint8Array.from(bytes)]));
    return make(
      'p',
      {},
      'Files that this board had: ',
      make('a', { href, download: name }, name),
      `, ${sizeText(bytes.length)}`,
    );
  });
}

/** Describes a write before it begins, or the reasons against it. */
export function planFacts(plan: BoardPlan): Child[] {
  if (plan.refusals.length > 0) {
    return plan.refusals.map((refusal) => finding(refusal, true));
  }
  const named = (title: string, names: readonly string[]) =>
    names.length === 0 ? null : make('p', {}, make('strong', {}, `${title}: `), names.join(', '));
  return [
    make('p', {}, planText(plan)),
    make(
      'ul',
      { 'aria-label': 'Files' },
      ...plan.files.map(({ name, at, length }) =>
        make('li', {}, at === null ? name : `${name} at ${at}`, `, ${sizeText(length)}`),
      ),
    ),
    named('Kept', plan.kept),
    named('Erased', plan.erased),
    ...boardFiles(plan.lost),
    plan.saved.length === 0
      ? null
      : make('p', {}, `${plan.saved.join(', ')} is sent to your downloads before the first byte is written.`),
    ...plan.warnings.flatMap(warning),
  ];
}

function warning(found: Finding): Child[] {
  const { details, ...text } = plainWarning(found);
  return [
    finding(text, false),
    details === null ? null : make('details', {}, make('summary', {}, 'Details'), make('p', {}, details)),
  ];
}

function finding({ what, remedy }: FailureText, isFault: boolean): HTMLElement {
  return make('p', { class: isFault ? 'alert fault' : 'alert' }, `${what} ${remedy}`.trim());
}

export function failureFacts({ code, message, remedy, boardState }: WirebenchFailureDetail): Child[] {
  return [
    make('p', { class: 'alert fault' }, message),
    remedy === '' ? null : make('p', {}, remedy),
    boardState === 'unchanged' && code !== 'cancelled' ? null : make('p', {}, boardStateText[boardState]),
  ];
}

/** A bar with its figures, updated in place. */
export class ProgressView {
  readonly #phase = make('span', {}, 'Starting');
  readonly #bar = make('progress', { max: '100', part: 'progress', 'aria-label': 'Progress' });
  readonly #bytes = make('span', {});
  readonly #speed = make('span', {});
  readonly #left = make('span', {});
  readonly children: readonly Child[] = [
    make('p', {}, this.#phase, '…'),
    this.#bar,
    make('p', { class: 'figures' }, this.#bytes, this.#speed, this.#left),
  ];

  update({ phase, percent, done, total, speed, remaining }: WirebenchProgressDetail): void {
    this.#phase.textContent = phaseText[phase];
    // Without a total the bar shows that its length is unknown.
    if (total === 0) {
      this.#bar.removeAttribute('value');
    } else {
      this.#bar.value = percent;
    }
    const texts = figures(done, total, speed, remaining);
    this.#bytes.textContent = texts.bytes;
    this.#speed.textContent = texts.speed;
    this.#left.textContent = texts.left;
  }
}
