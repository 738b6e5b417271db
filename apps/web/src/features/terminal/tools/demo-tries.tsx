/** Strip of a demo board: three things to try with it. It goes once all were tried or it was closed. */

import type { PortNumber } from '@wirebench/serial';
import { addressesOf, titleOf } from '@wirebench/symbols';
import { ChartLine, Check, Share2, X, Zap } from 'lucide-react';
import { type ReactNode, useEffect, useMemo } from 'react';
import type { Incident } from '../../../protocol/bench/crash-part.ts';
import { hasServer } from '../../../shared/edition.ts';
import { pageStore } from '../../../shared/page-store.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { getBench } from '../../../workbench/bench.ts';
import { useIncidents } from '../../../workbench/crash/incidents.ts';
import { addDemoElf, useOpenFiles } from '../../../workbench/crash/symbol-files.ts';
import { useDecoded } from '../../../workbench/crash/view/use-decoded.ts';
import { reportingFailure } from '../../../workbench/port-picker/connect-port.ts';
import { showShareDialog } from '../../../workbench/sharing/sharing-store.ts';
import { chooseCrash } from './crash/chosen-crash.ts';
import styles from './demo-tries.module.css';
import { showTool, useOpenTool } from './open-tool.ts';

/** Time for which the strip stays after the last thing was tried, in milliseconds. */
const lastLook = 5_000;

type Try = 'crash' | 'plot' | 'share';

/** Things that were tried in this tab. `asked`: newest crash when the demo board received the command to crash; null: no crash is awaited. */
const tried = pageStore<{ readonly done: readonly Try[]; readonly asked: number | null }>({
  done: [],
  asked: null,
});

const mark = (one: Try) => tried.setState(({ done }) => ({ done: done.includes(one) ? done : [...done, one] }));

const offered: readonly Try[] = hasServer ? ['crash', 'plot', 'share'] : ['crash', 'plot'];

export interface DemoTriesProps {
  readonly port: PortNumber;
  readonly onClose: () => void;
}

export function DemoTries({ port, onClose }: DemoTriesProps) {
  const { done, asked } = tried.use();
  const crash = useIncidents().find(({ severity }) => severity === 'fault');
  const tool = useOpenTool();
  const isOver = offered.every((one) => done.includes(one));
  const next = offered.find((one) => !done.includes(one));
  useEffect(() => {
    if (asked !== null && crash !== undefined && crash.id > asked) {
      tried.setState({ asked: null });
      mark('crash');
      chooseCrash({ incident: crash.id });
      showTool('crashes');
    }
  }, [asked, crash]);
  useEffect(() => {
    if (isOver) {
      const timer = setTimeout(onClose, lastLook);
      return () => clearTimeout(timer);
    }
    return;
  }, [isOver, onClose]);
  const say = (line: string) =>
    reportingFailure(port, getBench().call('send', port, new TextEncoder().encode(`${line}\n`)));
  const crashIt = () => {
    tried.setState({ asked: crash?.id ?? 0 });
    // With the program's ELF file, the crash has its line of code.
    void addDemoElf();
    void say('crash null');
  };
  const plotIt = () => {
    mark('plot');
    showTool('plot');
    void say('sensors on');
  };
  const shareIt = () => {
    mark('share');
    showShareDialog('toolbar');
  };
  const offer = (one: Try, icon: ReactNode, name: string, what: ReactNode, act: () => void) => (
    <button
      type="button"
      className={classNames(styles['try'], done.includes(one) && styles['done'], one === next && styles['next'])}
      onClick={act}
    >
      <span className={styles['icon']}>{done.includes(one) ? <Check aria-label="Done" /> : icon}</span>
      <b>{name}</b>
      <small className="ellipsis">{what}</small>
    </button>
  );
  // Other tools than those of the offers hide them while they are in front.
  return tool !== null && tool !== 'crashes' && tool !== 'plot' && tool !== 'panels' ? null : (
    <section className={styles['tries']} aria-label="Demo board">
      <div className={styles['what']}>
        <b>This board is a demo.</b>
        <span>{offered.length === 3 ? 'Three' : 'Two'} things to try with it</span>
      </div>
      {offer(
        'crash',
        <Zap />,
        'Crash it',
        done.includes('crash') && crash !== undefined ? <CrashSeen crash={crash} /> : 'See the line of code',
        crashIt,
      )}
      {offer('plot', <ChartLine />, 'Plot it', 'Three values, live', plotIt)}
      {hasServer ? offer('share', <Share2 />, 'Share it', 'A link that others can watch', shareIt) : null}
      <IconButton
        className={styles['close']}
        label="Close what to try"
        variant="quiet"
        size="sm"
        icon={<X />}
        onClick={onClose}
      />
    </section>
  );
}

/** Names the line of code that crashed; until it is known, the cause. */
function CrashSeen({ crash }: { readonly crash: Incident }) {
  const addresses = useMemo(() => addressesOf(crash), [crash]);
  const { places } = useDecoded(addresses, useOpenFiles(), crash.hash);
  const frame = places.flatMap((place) => place?.frames ?? []).find(({ file, line }) => file && line);
  return `Seen: ${frame === undefined ? titleOf(crash) : `${frame.file?.split('/').at(-1)}, line ${frame.line}`}`;
}
