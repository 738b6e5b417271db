/**
 * The answer at the top of the page: the state of the board in view, one sentence, up to three numbers, and one button.
 * The button is the same element in every state, so the focus stays on it.
 */
import type { PortNumber } from '@wirebench/serial';
import {
  Ban,
  Check,
  ChevronDown,
  CircleX,
  FilePlus2,
  FileUp,
  Layers,
  type LucideIcon,
  Pencil,
  Plug,
  RotateCcw,
  Square,
  TriangleAlert,
  X,
  Zap,
} from 'lucide-react';
import { type ReactNode, use } from 'react';
import { useDismissedList } from '../../../hardware/dismissed-list.ts';
import { serialSupport } from '../../../hardware/serial-support.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Menu, type MenuAction } from '../../../shared/ui/menu.tsx';
import { ProgressBar } from '../../../shared/ui/progress-bar.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import type { MainWay } from '../../../workbench/failure-card.tsx';
import { GuidanceLink } from '../../../workbench/guidance-link.tsx';
import { Readout } from '../../../workbench/readout.tsx';
import { TakeBackButton } from '../../../workbench/sharing/used-port.tsx';
import { FirstPicture } from '../board/first-picture.tsx';
import { hasUsbStart, StartSteps, UsbButton } from '../board/start-ways.tsx';
import { type ConnectMeans, useConnectMeans } from '../board/use-connect-means.tsx';
import { FileMeansContext } from '../files/file-means.ts';
import { releaseWords } from '../release/release-head.tsx';
import type { UsedRelease } from '../release/use-release.ts';
import { isBusy, isReady } from '../state/flash-state.ts';
import { setBatchMode } from '../store/batch-mode.ts';
import { cancelBuild } from '../store/board-builds.ts';
import { changesOf, dropChanges, setChange } from '../store/board-changes.ts';
import { cancel, connectAgain, resume, write } from '../store/flash-actions.ts';
import { askRestore, flasherStore, pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';
import { useNextStep } from '../store/next-step.ts';
import { planNow } from '../store/plan-actions.ts';
import { KeepOrErase } from '../write/keep-or-erase.tsx';
import { OverrideButton } from '../write/override-button.tsx';
import styles from './answer.module.css';
import type { AnswerAction, AnswerView } from './answer-facts.ts';
import { isMadeFrom } from './plan-answers.ts';
import { useAnswer } from './use-answer.ts';
import { useSteadyPress } from './use-steady-press.ts';

export interface AnswerProps {
  /** Button of the shown failure; null without one. */
  readonly way: MainWay | null;
  /** Takes the element for the words of a failure. */
  readonly onHead: (head: HTMLElement | null) => void;
  /** Opens the field of an offset, and focuses it. */
  readonly onOffset: () => void;
  /** Loads the version of the release that has a build for the board. */
  readonly onOtherVersion: () => void;
  /** True: no board and no files yet, so that the answer is the page. */
  readonly first: boolean;
  /** True: the page of a release, with words of its own. */
  readonly visit: boolean;
  /** The release on whose page the answer is in place of *Install*. Missing: the flasher is a page of its own. */
  readonly inPlace?: UsedRelease;
}

const signs: Readonly<Record<AnswerAction, LucideIcon>> = {
  connect: Plug,
  cancel: X,
  choose: FilePlus2,
  'choose-others': Ban,
  'choose-again': Ban,
  'drop-change': Ban,
  'connect-other': Ban,
  'other-version': Zap,
  'load-again': CircleX,
  'open-offset': TriangleAlert,
  write: Zap,
  stop: Square,
  wait: RotateCcw,
  again: Check,
  way: CircleX,
  'leave-batch': Layers,
  own: Square,
};

const icons: Readonly<Record<AnswerAction, LucideIcon>> = {
  ...signs,
  'choose-others': FilePlus2,
  'choose-again': FilePlus2,
  'drop-change': X,
  'connect-other': Plug,
  'load-again': RotateCcw,
  'open-offset': Pencil,
  again: Zap,
  way: RotateCcw,
  'leave-batch': Square,
};

export function Answer({ way, onHead, onOffset, onOtherVersion, first, visit, inPlace }: AnswerProps) {
  const port = useFlasher(({ selected }) => selected);
  const { view: derived, flash, changes, canWrite } = useAnswer();
  const version = useFlasher(({ release }) => release?.chosen.version ?? '');
  const isDismissed = useDismissedList() !== null;
  const view = visit
    ? {
        ...derived,
        ...releaseWords(derived, flash, version),
        ...(inPlace && inPlaceWords(derived, inPlace, isDismissed)),
      }
    : derived;
  const isEditing = useFlasher(({ editing }) => editing[port]);
  const user = useBenchStatus(({ users }) => users[port]);
  const means = useConnectMeans(port);
  const files = use(FileMeansContext);
  const isUsed = user !== null && !isBusy(flash) && derived.region !== 'Failure';
  const act: Record<AnswerAction, () => void> = {
    connect: means.connect,
    cancel: () => (flash.phase === 'connecting' ? void cancel(port) : cancelBuild(port)),
    choose: files.choose,
    'choose-others': files.choose,
    'choose-again': () => files.chooseAgain(),
    'drop-change': () => dropFaultyChanges(port),
    'connect-other': means.connect,
    'other-version': onOtherVersion,
    'load-again': () => void planNow(port),
    'open-offset': onOffset,
    write: () => (view.asks ? askErase() : void (isReady(flash) ? write(port) : resume(port))),
    stop: () => void cancel(port),
    wait: () => undefined,
    again: () => void resume(port),
    way: () => (way === null ? void connectAgain(port) : way.onPress()),
    'leave-batch': () => setBatchMode(false),
    own: () => view.own?.onPress(),
  };
  const step = useNextStep(port);
  const next = derived.action === 'again' && derived.blocked !== true ? step : null;
  const { action } = view;
  const { settling, press } = useSteadyPress(
    next === null ? action : 'next',
    next === null ? act[action] : next.onPress,
  );
  const Icon = icons[action];
  const isWay = action === 'way' && way !== null;
  const label =
    next !== null ? next.label : isWay ? way.label : action === 'connect' ? (means.label ?? view.label) : view.label;
  // A failure without a main button can only wait, such as for the guest who has the board.
  const blocked = isWay ? way.blocked : (view.blocked ?? (action === 'way' || (action === 'write' && !canWrite)));
  const busy = isWay ? way.busy : flash.cancelling;
  const danger = action === 'stop' || action === 'cancel' || action === 'leave-batch';
  const mainButton = (
    <span className={styles['split']} hidden={isUsed}>
      <Button
        ref={inPlace && takeFocus}
        size="lg"
        className={styles['main']}
        variant={
          danger ? 'danger' : blocked ? 'default' : view.danger ? 'danger-fill' : view.primary ? 'primary' : 'default'
        }
        icon={
          next !== null
            ? next.icon
            : isWay
              ? way.icon
              : action === 'connect' && means.icon !== null
                ? means.icon
                : view.own === undefined && <Icon />
        }
        busy={busy}
        aria-disabled={blocked || undefined}
        style={settling ? { pointerEvents: 'none' } : undefined}
        onClick={press}
      >
        {label}
      </Button>
      <More view={view} means={means} choose={files.others} />
    </span>
  );
  return (
    <section
      className={classNames(
        styles['answer'],
        styles[view.tone],
        first && styles['first'],
        (visit || inPlace) && styles['visit'],
        isEditing && styles['edits'],
        inPlace && styles['inPlace'],
        view.region === 'Progress' && styles['busy'],
        view.numbers.length > 0 && styles['numbered'],
        (view.region === 'Failure' || view.region === 'Result') && styles['settled'],
      )}
      data-action={action}
      aria-label={view.region}
    >
      {inPlace ? null : first ? <FirstPicture /> : <Sign view={view} />}
      <div className={styles['words']}>
        <span className={`silk ${styles['tag']}`}>{isUsed ? 'Used by a guest' : view.tag}</span>
        {isUsed ? (
          <div role="status">
            <h2>{`${user} uses this board.`}</h2>
            <p>You see what passes in the monitor. Take it back to flash it from here.</p>
          </div>
        ) : view.region === 'Failure' ? (
          <div ref={onHead} />
        ) : (
          <div role="status">
            <h2>{view.title}</h2>
            <p>
              {action === 'connect' ? (means.reason ?? view.text) : view.text} {next?.text} <Guidance view={view} />
            </p>
          </div>
        )}
      </div>
      <div className={styles['numbers']}>
        {view.numbers.map(({ label: name, value, unit }) => (
          <Readout key={name} label={name} value={value} unit={unit} />
        ))}
      </div>
      {visit ? <KeepOrErase /> : null}
      <div
        className={classNames(
          styles['actions'],
          first && styles[pageFamily().starts[0].by === 'port' ? 'by-port' : 'by-usb'],
        )}
      >
        {first ? <StartSteps /> : null}
        <Extras
          view={view}
          means={means}
          first={first}
          onUndo={() => dropChanges(port)}
          undo={changes.length > 0 && !isEditing}
          again={next === null || view.blocked === true ? null : act.again}
        />
        {isUsed ? <TakeBackButton port={port} user={user} size="lg" variant="primary" /> : null}
        {mainButton}
      </div>
      <Bar view={view} />
    </section>
  );
}

/**
 * Words on the page of a release while no board is connected, or while a board is and the files are not there.
 * @param isDismissed True: the browser's list was closed without a choice.
 */
function inPlaceWords(
  { action }: AnswerView,
  { loading, again }: UsedRelease,
  isDismissed: boolean,
): Partial<AnswerView> {
  if (action === 'connect') {
    return isDismissed
      ? { title: 'No board was chosen.', text: 'What to check is below.', label: 'Try again' }
      : {
          title: 'Plug your board in by USB.',
          text: 'Then choose it in the browser’s list. Nothing is written yet.',
          label: 'Install',
        };
  }
  if (action !== 'choose') {
    return {};
  }
  if (loading.state === 'loading') {
    return {
      action: 'wait',
      title: 'Loading the files of the release',
      text: 'Nothing is written yet.',
      label: 'Install',
      blocked: true,
    };
  }
  return {
    action: 'own',
    title: 'The files were not loaded',
    text: 'The reason is below. Nothing was written.',
    label: 'Try again',
    own: { sign: null, onPress: again },
  };
}

/** Fetches the question about an erase of the whole board. */
const askErase = () => void import('../store/erase-request.ts').then(({ askPlannedErase }) => askPlannedErase());

/** Continues where the press of *Install* was, which is gone. A field that has the focus keeps it. */
const takeFocus = (button: HTMLElement | null) => {
  if (document.activeElement === document.body) {
    button?.focus({ preventScroll: true });
  }
};

/** Takes the changes out of the plan whose files cannot be read again. */
function dropFaultyChanges(port: PortNumber): void {
  const { fileFaults } = flasherStore().getState();
  for (const planned of changesOf(port).filter((one) => isMadeFrom(one, fileFaults))) {
    setChange(port, planned.change.name, null);
  }
  flasherStore().setState({ fileFaults: [] });
}

function Sign({ view: { action, tone, bar, own } }: { readonly view: AnswerView }) {
  const Icon = action === 'again' && tone === 'warning' ? TriangleAlert : signs[action];
  return (
    <span className={styles['sign']} aria-hidden="true">
      {bar === undefined ? (own?.sign ?? <Icon />) : <Spinner />}
    </span>
  );
}

interface MoreProps {
  readonly view: AnswerView;
  readonly means: ConnectMeans;
  readonly choose: readonly (MenuAction | 'separator')[];
}

/** The other ways of the main button. It is one control with it. */
function More({ view: { action, primary }, means, choose }: MoreProps) {
  const items = action === 'connect' ? means.others : action === 'choose' ? choose : [];
  return items.length === 0 ? null : (
    <Menu
      align="end"
      items={items}
      trigger={(props) => (
        <Button
          {...props}
          size="lg"
          className={styles['more']}
          variant={primary ? 'primary' : 'default'}
          icon={<ChevronDown />}
          aria-label={action === 'connect' ? 'Other ways to connect a board' : 'Other ways to add files'}
          onClick={() => {
            means.look();
            props.onClick();
          }}
        />
      )}
    />
  );
}

interface ExtrasProps {
  readonly view: AnswerView;
  readonly means: ConnectMeans;
  /** True: the start page, where the second way is beside the main one. */
  readonly first: boolean;
  /** Flashes again; null while the main button does. */
  readonly again: (() => void) | null;
  /** True: changes to the board are planned. */
  readonly undo: boolean;
  readonly onUndo: () => void;
}

/** Outlined buttons beside the main one. */
function Extras({ view, means, first, undo, onUndo, again }: ExtrasProps) {
  const port = useFlasher(({ selected }) => selected);
  const isEmptied = useFlash(({ emptied }) => emptied !== null);
  const files = use(FileMeansContext);
  const { action } = view;
  const extras: ReactNode[] = [];
  if (action === 'connect') {
    extras.push(first && hasUsbStart() ? <UsbButton key="usb" size="lg" /> : means.demo);
  }
  if (action === 'choose' && files.demo !== null) {
    extras.push(
      <Button key="demo" size="lg" onClick={files.demo}>
        Use demo firmware
      </Button>,
    );
  }
  const { restore } = pageFamily();
  if (isEmptied && restore !== undefined && (action === 'choose' || action === 'again')) {
    extras.push(
      <Button key="restore" size="lg" icon={<FileUp />} onClick={restore === 'file' ? files.choose : askRestore}>
        Restore a backup…
      </Button>,
    );
  }
  if (again !== null) {
    extras.push(
      <Button key="again" size="lg" onClick={again}>
        Flash again
      </Button>,
    );
  }
  if (view.own?.second !== undefined) {
    const { label, onPress } = view.own.second;
    extras.push(
      <Button key="second" size="lg" onClick={onPress}>
        {label}
      </Button>,
    );
  }
  if (undo && (action === 'write' || action === 'open-offset' || action === 'choose-others')) {
    extras.push(
      <Button key="undo" size="lg" onClick={onUndo}>
        Undo all
      </Button>,
    );
  }
  if (action === 'choose-others') {
    extras.push(<OverrideButton key="override" />);
  }
  if (action === 'open-offset') {
    extras.push(
      <Button key="anyway" size="lg" onClick={() => void write(port)}>
        Write anyway
      </Button>,
    );
  }
  return <span className={styles['extras']}>{extras}</span>;
}

/** Link to the documentation of what the answer is about. */
function Guidance({ view: { action, says = [] } }: { readonly view: AnswerView }) {
  const { topics } = pageFamily();
  const [found] = says;
  if (action === 'connect' && serialSupport() !== 'ready') {
    return <GuidanceLink topic="serial-access-blocked" />;
  }
  const topic = found === undefined ? null : (topics[found.code] ?? null);
  return topic === null ? null : <GuidanceLink topic={topic} />;
}

/** The bar along the lower edge. It is a progress bar for as long as something is under way. */
function Bar({ view: { done, bar } }: { readonly view: AnswerView }) {
  if (done !== undefined && bar !== undefined) {
    return <ProgressBar className={styles['bar']} label={bar} done={done} />;
  }
  return (
    <span className={styles['bar']} aria-hidden="true">
      {done == null ? null : <i style={{ transform: `scaleX(${done})` }} />}
    </span>
  );
}
