/**
 * Answers to prompts for a password: a message field hides one, for one Enter, unless the person wants to see it. The
 * bench knows the prompt (`PortStatus.asks`).
 */
import type { AskedSecret, PortNumber } from '@wirebench/serial';
import { useEffect, useState } from 'react';
import type { BenchFacts } from '../protocol/bench/bench-tick.ts';
import { pageStore } from '../shared/page-store.ts';
import { benchStatus, useBenchStatus } from './bench-status.ts';

/** Milliseconds for which a prompt stands before a field hides its text. A board may be in the middle of a line. */
const standing = 100;

/** Numbers of the prompts whose answers are shown, by port. */
const shownPrompts = pageStore<Partial<Record<PortNumber, number>>>({});

interface AskedOfField {
  readonly secret: AskedSecret;
  /** True: the person wants to see the answer, and it is kept as other text is. */
  readonly isShown: boolean;
}

/** Returns what the board on `port` asks for, as soon as its prompt stands; null for nothing. */
export function useAskedSecret(port: PortNumber): AskedOfField | null {
  const secret = useBenchStatus(({ status }) => status.ports[port].asks?.secret ?? null);
  const number = useBenchStatus(({ status }) => status.ports[port].asks?.number ?? null);
  const isShown = shownPrompts.use((shown) => shown[port] === number);
  const prompt = number === null ? null : `${port}.${number}`;
  const [stood, setStood] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setStood(prompt), standing);
    return () => clearTimeout(timer);
  }, [prompt]);
  return secret === null || stood !== prompt ? null : { secret, isShown };
}

/** Shows the answer to the prompt of `port`, or hides it again. */
export function showAnswer(port: PortNumber, isShown: boolean): void {
  const { asks } = benchStatus.tick.status.ports[port];
  shownPrompts.setState({ [port]: isShown ? asks?.number : undefined });
}

/**
 * Returns whether what is sent to these ports now has to be hidden: true if one of them asks for a password, false if
 * the person wants to see the answer, undefined if none asks. It reads the newest tick, which a field may be behind.
 */
export function answerHiding(ports: readonly PortNumber[]): boolean | undefined {
  const asking = ports.filter((port) => benchStatus.tick.status.ports[port].asks !== null);
  const shown = shownPrompts.getState();
  return asking.length === 0
    ? undefined
    : asking.some((port) => shown[port] !== benchStatus.tick.status.ports[port].asks?.number);
}

/** Returns what the bench does with a text in the log of `port`. A host with an older version shows it. */
export function hidingInLog(hiding: boolean | undefined, port: PortNumber): boolean | undefined {
  return hiding === true && !canHideOn(benchStatus.tick, port) ? undefined : hiding;
}

/** Returns false for the port of a host whose log shows what is sent. */
export function canHideOn({ devices }: Pick<BenchFacts, 'devices'>, port: PortNumber): boolean {
  const device = devices[port];
  return device?.kind !== 'remote' || device.canHide === true;
}
