/**
 * The answer at the top of the page: the state of the board in view, one sentence, up to three numbers, and one button.
 * The button is the same element in every state, so the focus stays on it.
 */
import {
  Ban,
  Check,
  ChevronDown,
  CircleX,
  FilePlus2,
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
import { type ConnectMeans, useConnectMeans } from '../board/use-connect-means.tsx';
import { FileMeansContext } from '../files/file-means.ts';
import { releaseWords } from '../release/release-head.tsx';
import { isBusy, isReady } from '../state/flash-state.ts';
import { setBatchMode } from '../store/batch-mode.ts';
import { dropChanges } from '../store/board-changes.ts';
import { rereadFiles } from '../store/file-actions.ts';
import { cancel, connectAgain, resume, write } from '../store/flash-actions.ts';
import { pageFamily, useFlasher } from '../store/flasher-store.ts';
import { useNextStep } from '../store/next-step.ts';
import { planNow } from '../store/plan-actions.ts';
import { cancelBuild } from '../store/release-builds.ts';
import { OverrideButton } from '../write/override-button.tsx';
import styles from './answer.module.css';
import type { AnswerAction, AnswerView } from './answer-facts.ts';
import { useAnswer } from './use-answer.ts';
import { useSteadyPress } from './use-steady-press.ts';

export interface AnswerProps {
  /** Button of the shown failure; null without one. */
  readonly way: MainWay | null;
  /** Takes the element for the words of a failure. */
  readonly onHead: (head: HTMLElement | null) => void;
  /** Opens the field of an offset, and focuses it. */
  readonly onOffset: () => void;
  /** True: no board and no files yet, so that the answer is the page. */
  readonly first: boolean;
  /** True: the page of a release, with words of its own. */
  readonly visit: boolean;
}

const signs: Readonly<Record<AnswerAction, LucideIcon>> = {
  connect: Plug,
  cancel: X,
  choose: FilePlus2,
  'choose-others': Ban,
  'connect-other': Ban,
  'load-again': CircleX,
  'open-offset': TriangleAlert,
  write: Zap,
  stop: Square,
  wait: RotateCcw,
  again: Check,
  way: CircleX,
  'leave-batch': Layers,
};

const icons: Readonly<Record<AnswerAction, LucideIcon>> = {
  ...signs,
  'choose-others': FilePlus2,
  'connect-other': Plug,
  'load-again': RotateCcw,
  'open-offset': Pencil,
  again: Zap,
  way: RotateCcw,
  'leave-batch': Square,
};

export function Answer({ way, onHead, onOffset, first, visit }: AnswerProps) {
  const port = useFlasher(({ selected }) => selected);
  const { view: derived, flash, changes, canWrite } = useAnswer();
  const view = visit ? { ...derived, ...releaseWords(derived, flash) } : derived;
  const user = useBenchStatus(({ users }) => users[port]);
  const means = useConnectMeans(port);
  const files = use(FileMeansContext);
  const isUsed = user !== null && !isBusy(flash) && derived.region !== 'Failure';
  const act: Record<AnswerAction, () => void> = {
    connect: means.connect,
    cancel: () => (flash.phase === 'connecting' ? void cancel(port) : cancelBuild(port)),
    choose: files.choose,
    'choose-others': files.choose,
    'connect-other': means.connect,
    'load-again': () => void planNow(port),
    'open-offset': onOffset,
    write: () => void (isReady(flash) ? write(port) : rereadFiles().then(() => resume(port))),
    stop: () => void cancel(port),
    wait: () => undefined,
    again: () => void resume(port),
    way: () => (way === null ? void connectAgain(port) : way.onPress()),
    'leave-batch': () => setBatchMode(false),
  };
  const step = useNextStep(port);
  const next = derived.action === 'again' ? step : null;
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
  return (
    <section
      className={classNames(
        styles['answer'],
        styles[view.tone],
        first && styles['first'],
        view.region === 'Progress' && styles['busy'],
        view.numbers.length > 0 && styles['numbered'],
        (view.region === 'Failure' || view.region === 'Result') && styles['settled'],
      )}
      data-action={action}
      aria-label={view.region}
    >
      {first ? <FirstPicture /> : <Sign view={view} />}
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
      <div className={styles['actions']}>
        <Extras
          view={view}
          means={means}
          onUndo={() => dropChanges(port)}
          undo={changes.length > 0}
          again={next === null ? null : act.again}
        />
        {isUsed ? <TakeBackButton port={port} user={user} size="lg" variant="primary" /> : null}
        <span className={styles['split']} hidden={isUsed}>
          <Button
            size="lg"
            className={styles['main']}
            variant={danger ? 'danger' : view.primary && !blocked ? 'primary' : 'default'}
            icon={
              next !== null ? (
                next.icon
              ) : isWay ? (
                way.icon
              ) : action === 'connect' && means.icon !== null ? (
                means.icon
              ) : (
                <Icon />
              )
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
      </div>
      <Bar view={view} />
    </section>
  );
}

function Sign({ view: { action, tone, bar } }: { readonly view: AnswerView }) {
  const Icon = action === 'again' && tone === 'warning' ? TriangleAlert : signs[action];
  return (
    <span className={styles['sign']} aria-hidden="true">
      {bar === undefined ? <Icon /> : <Spinner />}
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
  /** Flashes again; null while the main button does. */
  readonly again: (() => void) | null;
  /** True: changes to the board are planned. */
  readonly undo: boolean;
  readonly onUndo: () => void;
}

/** Outlined buttons beside the main one. */
function Extras({ view, means, undo, onUndo, again }: ExtrasProps) {
  const port = useFlasher(({ selected }) => selected);
  const files = use(FileMeansContext);
  const { action } = view;
  const extras: ReactNode[] = [];
  if (action === 'connect') {
    extras.push(means.demo);
  }
  if (action === 'choose' && files.demo !== null) {
    extras.push(
      <Button key="demo" size="lg" onClick={files.demo}>
        Use demo firmware
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
