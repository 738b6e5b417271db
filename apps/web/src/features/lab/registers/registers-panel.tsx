/** Panel of the chip's named registers: a tree, and the selected register bit by bit. */
import { RefreshCw } from 'lucide-react';
import type { RegisterFacts, RegisterGroupFacts } from '../../../protocol/lab-protocol.ts';
import { hexDigits, wordText } from '../../../shared/format/hex.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { clockTime } from '../../../workbench/console/row-times.ts';
import panel from '../panel.module.css';
import { useLab } from '../store/lab-store.ts';
import { useRun } from '../store/run.ts';
import type { ReadWord } from './read-word.ts';
import { type BitRegister, RegisterBits } from './register-bits.tsx';
import {
  flipBits,
  readable,
  readRegisters,
  selectRegister,
  unfoldPeripherals,
  useRegisters,
  writeRegister,
} from './register-store.ts';
import { RegisterTree } from './register-tree.tsx';
import styles from './registers-panel.module.css';

export const registersId = 'lab-registers';

const none: readonly RegisterGroupFacts[] = [];

export function RegistersPanel() {
  const groups = useLab(({ board }) => board?.registers ?? none);
  const since = useRegisters((state) => state.since);
  const unfolded = useRegisters((state) => state.unfolded);
  const open = unfolded ?? groups.slice(0, 1).map(({ name }) => name);
  const entries = groups.flatMap(({ name, registers }) => registers.map((register) => ({ group: name, register })));
  const key = useRegisters((state) => state.selected);
  const selected = entries.find(({ group, register }) => keyOf(group, register) === key) ?? entries[0] ?? null;
  const words = useRegisters((state) => state.words);
  const flips = useRegisters((state) => state.flips);
  const { busy, run } = useRun();
  const shown = groups.filter(({ name }) => open.includes(name));
  const readShown = () => run(() => readRegisters(readable(shown.flatMap(({ registers }) => registers))));
  return (
    <section id={registersId} className={panel['panel']} aria-label="Registers">
      <div className={panel['head']}>
        <h2>Registers</h2>
        <span className={`row tight ${panel['end']}`}>
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
        <RegisterTree
          label="Registers of the chip"
          groups={groups.map(({ name, registers }) => ({
            name,
            items: registers.map((register) => itemOf(name, register, words.get(register.address))),
          }))}
          open={open}
          onOpen={unfoldPeripherals}
          selected={selected === null ? null : keyOf(selected.group, selected.register)}
          onSelect={selectRegister}
        />
        {selected === null ? null : (
          <RegisterBits
            key={selected.register.address}
            register={bitsOf(selected.register)}
            word={words.get(selected.register.address) ?? null}
            flips={flips.get(selected.register.address) ?? 0}
            onFlips={(bits) => flipBits(selected.register.address, bits)}
            onRead={() => readRegisters([selected.register])}
            onWrite={async (next, mask) => {
              await writeRegister(selected.register.address, next, mask);
              return true;
            }}
          />
        )}
      </div>
    </section>
  );
}

const keyOf = (group: string, { name }: RegisterFacts) => `${group} ${name}`;

function itemOf(group: string, register: RegisterFacts, word: ReadWord | undefined) {
  const changed = word !== undefined && word.before !== null && word.before !== word.now;
  return {
    key: keyOf(group, register),
    name: register.name,
    word: word === undefined ? '' : hexDigits(word.now, 8),
    was: changed ? wordText(word.before ?? 0) : null,
  };
}

const bitsOf = ({ name, address, fields, readTakes, writeOnly }: RegisterFacts): BitRegister => ({
  name,
  place: wordText(address),
  width: 32,
  fields,
  access: writeOnly ? 'w' : 'rw',
  note: readTakes ? 'Reading this register changes it.' : null,
});
