/** The chip's named registers as a tree, and the selected one bit by bit. */
import { ChevronDown, ChevronRight, RefreshCw } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { clockTime } from '../../../workbench/console/row-times.ts';
import type { RegisterFacts, RegisterGroupFacts } from '../../../workbench/lab/lab-protocol.ts';
import panel from '../panel.module.css';
import { hex } from '../quantities.ts';
import { useLab } from '../store/lab-store.ts';
import { useRun } from '../store/run.ts';
import { RegisterBits } from './register-bits.tsx';
import { readable, readRegisters, registerStore, useWords } from './register-store.ts';
import styles from './registers-panel.module.css';

export const registersId = 'lab-registers';

const none: readonly RegisterGroupFacts[] = [];

export function RegistersPanel() {
  const groups = useLab(({ board }) => board?.registers ?? none);
  const since = useStore(registerStore, (state) => state.since);
  const [open, setOpen] = useState<readonly string[]>(groups.slice(0, 1).map(({ name }) => name));
  const [selected, setSelected] = useState<RegisterFacts | null>(groups[0]?.registers[0] ?? null);
  const { busy, run } = useRun();
  const shown = groups.filter(({ name }) => open.includes(name));
  const readShown = () => run(() => readRegisters(readable(shown.flatMap(({ registers }) => registers))));
  return (
    <section id={registersId} className={panel['panel']} aria-label="Registers">
      <div className={panel['head']}>
        <h2>Registers</h2>
        <span className={panel['end']}>
          {since === null ? null : (
            <span className={styles['since']}>
              <i /> changed since {clockTime(since).slice(0, 8)}
            </span>
          )}
          <Button
            size="sm"
            icon={<RefreshCw />}
            busy={busy}
            disabled={shown.length === 0}
            onClick={() => void readShown()}
          >
            Read all
          </Button>
        </span>
      </div>
      <div className={styles['body']}>
        <Tree groups={groups} open={open} onOpen={setOpen} selected={selected} onSelect={setSelected} />
        {selected === null ? null : <RegisterBits key={selected.address} register={selected} />}
      </div>
    </section>
  );
}

interface TreeProps {
  readonly groups: readonly RegisterGroupFacts[];
  /** Names of the groups that are unfolded. */
  readonly open: readonly string[];
  readonly onOpen: (open: readonly string[]) => void;
  readonly selected: RegisterFacts | null;
  readonly onSelect: (register: RegisterFacts) => void;
}

/** One stop of the Tab key: up and down walk, right unfolds, left folds. */
function Tree({ groups, open, onOpen, selected, onSelect }: TreeProps) {
  const root = useRef<HTMLDivElement>(null);
  const words = useWords();
  const [stop, setStop] = useState('');
  const toggle = (name: string, unfold = !open.includes(name)) =>
    onOpen(unfold ? [...open.filter((one) => one !== name), name] : open.filter((one) => one !== name));
  const items = () => [...(root.current?.querySelectorAll<HTMLElement>('[role="treeitem"]') ?? [])];
  const pressed = (event: KeyboardEvent) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const item = all[at];
    const group = item?.dataset['group'];
    const steps: Readonly<Record<string, HTMLElement | undefined>> = {
      ArrowDown: all[at + 1],
      ArrowUp: all[at - 1],
      Home: all[0],
      End: all.at(-1),
    };
    if (item === undefined) {
      return;
    }
    if (event.key in steps) {
      event.preventDefault();
      steps[event.key]?.focus();
    } else if (group !== undefined && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
      event.preventDefault();
      toggle(group, event.key === 'ArrowRight');
    } else if (event.key === 'ArrowLeft') {
      event.preventDefault();
      all.findLast((one, index) => index < at && one.dataset['group'] !== undefined)?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      item.click();
    }
  };
  const tabIndex = (key: string, first: boolean) => ((stop === '' ? first : stop === key) ? 0 : -1);
  return (
    <div ref={root} className={styles['tree']} role="tree" aria-label="Registers of the chip" onKeyDown={pressed}>
      {groups.map(({ name, registers }, index) => (
        <div key={name} role="none">
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys. */}
          <div
            role="treeitem"
            aria-expanded={open.includes(name)}
            aria-level={1}
            data-group={name}
            className={styles['group']}
            tabIndex={tabIndex(name, index === 0)}
            onFocus={() => setStop(name)}
            onClick={() => toggle(name)}
          >
            {open.includes(name) ? <ChevronDown /> : <ChevronRight />}
            {name}
          </div>
          {open.includes(name)
            ? registers.map((register) => {
                const word = words.get(register.address);
                const key = `${name} ${register.name}`;
                const changed = word !== undefined && word.before !== null && word.before !== word.now;
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys.
                  <div
                    key={key}
                    role="treeitem"
                    aria-level={2}
                    aria-selected={selected?.address === register.address}
                    className={classNames(
                      styles['register'],
                      selected?.address === register.address && styles['selected'],
                    )}
                    tabIndex={tabIndex(key, false)}
                    onFocus={() => setStop(key)}
                    onClick={() => onSelect(register)}
                  >
                    <span className={styles['name']}>{register.name}</span>
                    <span className={styles['word']}>{word === undefined ? '' : hex(word.now, 8).slice(2)}</span>
                    {changed ? <i className={styles['changed']} title={`was ${hex(word.before ?? 0, 8)}`} /> : null}
                    {changed ? <span className="visually-hidden">, was {hex(word.before ?? 0, 8)}</span> : null}
                  </div>
                );
              })
            : null}
        </div>
      ))}
    </div>
  );
}
