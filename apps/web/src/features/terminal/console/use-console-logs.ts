/** Operations on all logs of the console, and their states: paused, selected, inspected. */
import { type RefObject, useRef, useState } from 'react';
import { toast } from '../../../shared/ui/toast.ts';
import { getBench } from '../../../workbench/bench.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import type { ConsoleLogHandle, SelectedKind } from '../../../workbench/console/console-log.tsx';
import type { TextOptions } from '../../../workbench/console/copy-selection.ts';
import type { InspectedBytes } from '../../../workbench/console/inspected-bytes.ts';
import { arrivedLines, type LogName } from './log-lines.ts';

type HeldLog = RefObject<ConsoleLogHandle | null>;

export interface ConsoleLogs {
  /** True: no log is paused. */
  readonly following: boolean;
  /** Returns the number of lines ever received when the log was paused. Null while it follows the newest lines. */
  readonly pausedAt: (name: LogName) => number | null;
  /** Adds a mounted log. Call the returned function to remove it. */
  readonly register: (name: LogName, log: HeldLog) => () => void;
  readonly setFollowing: (name: LogName, following: boolean) => void;
  /** Returns the kind of selection in the log, or null. */
  readonly selected: (name: LogName) => SelectedKind;
  readonly setSelected: (name: LogName, selected: SelectedKind) => void;
  /** Returns the bytes selected in the log's hex display, or null. */
  readonly inspected: (name: LogName) => InspectedBytes | null;
  readonly setInspected: (name: LogName, inspected: InspectedBytes | null) => void;
  /** Follows the newest lines of a log (true), or pauses it. */
  readonly follow: (name: LogName, wanted: boolean) => void;
  readonly copySelected: (name: LogName, options?: TextOptions) => void;
  readonly saveSelected: (name: LogName, options?: TextOptions) => void;
  readonly clearSelected: (name: LogName) => void;
  readonly followAll: (wanted: boolean) => void;
  /** Focuses the first log. Returns false if there is no log. */
  readonly focus: () => boolean;
  /**
   * Scrolls to the first line at or after `at` and pauses there. Without such a line, follows the newest lines.
   *
   * @param at Milliseconds since the Unix epoch.
   */
  readonly showTime: (at: number) => Promise<void>;
  /** Scrolls all logs to the next or previous found line. */
  readonly step: (direction: 'next' | 'previous') => Promise<void>;
  /** Scrolls all logs to the next or previous line that a rule marks. */
  readonly stepMark: (direction: 'next' | 'previous') => Promise<void>;
}

export function useConsoleLogs(): ConsoleLogs {
  const logs = useRef(new Map<LogName, HeldLog>());
  const [paused, setPaused] = useState<ReadonlyMap<LogName, number>>(new Map());
  const [selected, setSelected] = useState<ReadonlyMap<LogName, SelectedKind>>(new Map());
  const select = (name: LogName, kind: SelectedKind) =>
    setSelected((before) => (kind === null ? without(before, name) : new Map(before).set(name, kind)));
  /** The mark that was shown last. */
  const mark = useRef<number | null>(null);
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
        select(name, null);
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
    selected: (name) => selected.get(name) ?? null,
    setSelected: select,
    inspected: (name) => inspected.get(name) ?? null,
    setInspected: inspect,
    follow: (name, wanted) => {
      const log = logs.current.get(name)?.current;
      if (wanted) {
        log?.follow();
      } else {
        log?.pause();
      }
    },
    copySelected: (name, options) => logs.current.get(name)?.current?.copySelected(options),
    saveSelected: (name, options) => logs.current.get(name)?.current?.saveSelected(options),
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
    stepMark: async (direction) => {
      const bottom = Math.max(0, ...all().map(({ bottomSequence }) => bottomSequence ?? 0));
      // A log that follows begins at its end. The newest mark comes first then. A paused log goes on from what it shows.
      const from = paused.size === 0 ? null : (mark.current ?? (direction === 'next' ? bottom : null));
      const hit =
        from === null
          ? await getBench().call('markStep', 'previous', bottom + 1)
          : await getBench().call('markStep', direction, from);
      mark.current = hit?.sequence ?? null;
      if (hit === null) {
        toast('No line is marked. A rule marks lines: see Tools, Rules.', { level: 'info' });
      } else {
        reveal(hit.sequence);
      }
    },
  };
}

function without<Value>(names: ReadonlyMap<LogName, Value>, name: LogName): ReadonlyMap<LogName, Value> {
  return names.has(name) ? new Map([...names].filter(([other]) => other !== name)) : names;
}
