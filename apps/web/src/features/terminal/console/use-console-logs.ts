/** What is asked of all logs of the console at once, and which of them are paused. */
import { type RefObject, useRef, useState } from 'react';
import { getBench } from '../../../workbench/bench.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import type { ConsoleLogHandle } from '../../../workbench/console/console-log.tsx';
import type { InspectedBytes } from '../../../workbench/console/inspected-bytes.ts';
import { arrivedLines, type LogName } from './log-lines.ts';

type HeldLog = RefObject<ConsoleLogHandle | null>;

export interface ConsoleLogs {
  /** None is paused. */
  readonly following: boolean;
  /** Null while the newest lines are followed; else how many lines had come in all when that stopped. */
  readonly pausedAt: (name: LogName) => number | null;
  /** A log is there, until what is given back is called. */
  readonly register: (name: LogName, log: HeldLog) => () => void;
  readonly setFollowing: (name: LogName, following: boolean) => void;
  /** Rows of it are selected. */
  readonly selected: (name: LogName) => boolean;
  readonly setSelected: (name: LogName, selected: boolean) => void;
  /** The bytes that are marked in it; null while none are. */
  readonly inspected: (name: LogName) => InspectedBytes | null;
  readonly setInspected: (name: LogName, inspected: InspectedBytes | null) => void;
  readonly follow: (name: LogName) => void;
  readonly copySelected: (name: LogName) => void;
  readonly clearSelected: (name: LogName) => void;
  readonly followAll: (wanted: boolean) => void;
  /** Moves the focus into the first log; false when there is none. */
  readonly focus: () => boolean;
  /** Shows the first lines from this time on, in milliseconds since the Unix epoch, and stays there. */
  readonly showTime: (at: number) => Promise<void>;
  /** Goes on to another of the lines found; every log shows what is at that place. */
  readonly step: (direction: 'next' | 'previous') => Promise<void>;
}

export function useConsoleLogs(): ConsoleLogs {
  const logs = useRef(new Map<LogName, HeldLog>());
  const [paused, setPaused] = useState<ReadonlyMap<LogName, number>>(new Map());
  const [selected, setSelected] = useState<readonly LogName[]>([]);
  const select = (name: LogName, on: boolean) =>
    setSelected((before) =>
      before.includes(name) === on ? before : [...before.filter((other) => other !== name), ...(on ? [name] : [])],
    );
  const [inspected, setInspected] = useState<ReadonlyMap<LogName, InspectedBytes>>(new Map());
  const inspect = (name: LogName, bytes: InspectedBytes | null) =>
    setInspected((before) => (bytes === null ? without(before, name) : new Map(before).set(name, bytes)));
  const all = () => [...logs.current.values()].flatMap(({ current }) => current ?? []);
  const resume = (name: LogName) => setPaused((before) => without(before, name));
  const reveal = (sequence: number, marks = false) => {
    for (const log of all()) {
      log.reveal(sequence, marks);
    }
  };
  const followAll = (wanted: boolean) => {
    for (const log of all()) {
      if (wanted) {
        log.follow();
      } else {
        log.pause();
      }
    }
  };
  return {
    following: paused.size === 0,
    pausedAt: (name) => paused.get(name) ?? null,
    register: (name, log) => {
      logs.current.set(name, log);
      return () => {
        logs.current.delete(name);
        resume(name);
        select(name, false);
        inspect(name, null);
      };
    },
    setFollowing: (name, following) => {
      if (following) {
        resume(name);
      } else {
        const arrived = arrivedLines(benchStatus.tick, name);
        setPaused((before) => new Map(before).set(name, arrived));
      }
    },
    selected: (name) => selected.includes(name),
    setSelected: select,
    inspected: (name) => inspected.get(name) ?? null,
    setInspected: inspect,
    follow: (name) => logs.current.get(name)?.current?.follow(),
    copySelected: (name) => logs.current.get(name)?.current?.copySelected(),
    clearSelected: (name) => logs.current.get(name)?.current?.clearSelected(),
    followAll,
    focus: () => {
      const [first] = all();
      first?.focus();
      return first !== undefined;
    },
    showTime: async (at) => {
      const sequence = await getBench().call('lineFrom', at);
      if (sequence === null) {
        followAll(true);
      } else {
        reveal(sequence);
      }
    },
    step: async (direction) => {
      const from = Math.max(0, ...all().map(({ bottomSequence }) => bottomSequence ?? 0));
      const hit = await getBench().call('findStep', direction, from);
      if (hit !== null) {
        reveal(hit.sequence, true);
      }
    },
  };
}

function without<Value>(names: ReadonlyMap<LogName, Value>, name: LogName): ReadonlyMap<LogName, Value> {
  return names.has(name) ? new Map([...names].filter(([other]) => other !== name)) : names;
}
