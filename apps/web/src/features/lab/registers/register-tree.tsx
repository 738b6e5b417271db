/** Tree of registers in groups, with their values and the changes since the previous read. */
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import styles from './registers-panel.module.css';

interface TreeItem {
  readonly key: string;
  readonly name: string;
  /** Value as text; empty before the first read. */
  readonly word: string;
  /** Previous value as text; null if it is equal or unknown. */
  readonly was: string | null;
}

interface TreeGroup {
  readonly name: string;
  readonly items: readonly TreeItem[];
}

interface RegisterTreeProps {
  readonly label: string;
  readonly groups: readonly TreeGroup[];
  /** Names of the unfolded groups. */
  readonly open: readonly string[];
  readonly onOpen: (open: readonly string[]) => void;
  /** Key of the selected item. */
  readonly selected: string | null;
  readonly onSelect: (key: string) => void;
}

/** The whole tree is one stop of the Tab key. Up and down move, right unfolds, left folds. */
export function RegisterTree({ label, groups, open, onOpen, selected, onSelect }: RegisterTreeProps) {
  const root = useRef<HTMLDivElement>(null);
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
    <div ref={root} className={styles['tree']} role="tree" aria-label={label} onKeyDown={pressed}>
      {groups.map(({ name, items: registers }, index) => (
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
            ? registers.map((register) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys.
                <div
                  key={register.key}
                  role="treeitem"
                  aria-level={2}
                  aria-selected={selected === register.key}
                  className={classNames(styles['register'], selected === register.key && styles['selected'])}
                  tabIndex={tabIndex(register.key, false)}
                  onFocus={() => setStop(register.key)}
                  onClick={() => onSelect(register.key)}
                >
                  <span className={`ellipsis ${styles['name']}`}>{register.name}</span>
                  <span className={styles['word']}>{register.word}</span>
                  {register.was === null ? null : (
                    <>
                      <i className={styles['changed']} title={`was ${register.was}`} />
                      <span className="visually-hidden">, was {register.was}</span>
                    </>
                  )}
                </div>
              ))
            : null}
        </div>
      ))}
    </div>
  );
}
