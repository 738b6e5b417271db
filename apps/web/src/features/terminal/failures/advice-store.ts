/** Answers of a person to the advice of each port: the kinds that rest, and the search for a rate that was asked for. */
import { byPort, type PortNumber } from '@wirebench/serial';
import { pageStore } from '../../../shared/page-store.ts';

/** Kinds of advice. The first one loses most, and is shown before the others. */
export const adviceKinds = ['rate', 'program', 'enter', 'frames', 'silent'] as const;

export type AdviceKind = (typeof adviceKinds)[number];

/** Advice rests for the connection in which it was closed; that about a rate for its settings, too. */
interface Rest {
  readonly connectedAt: number | null;
  /** Settings in words; null for none. */
  readonly format: string | null;
}

interface PortAdviceState {
  readonly rests: Partial<Record<AdviceKind, Rest>>;
  /** Rate of the port when a search for another one was asked for; null: none was, or its result was closed. */
  readonly rateBefore: number | null;
}

const ports = pageStore(byPort((): PortAdviceState => ({ rests: {}, rateBefore: null })));

export const useAdviceState = (port: PortNumber): PortAdviceState => ports.use((all) => all[port]);

/** Rests advice until the port is opened again. */
export function restAdvice(port: PortNumber, kind: AdviceKind, rest: Rest): void {
  ports.setState((all) => ({ [port]: { ...all[port], rests: { ...all[port].rests, [kind]: rest } } }));
}

export function setRateBefore(port: PortNumber, rateBefore: number | null): void {
  ports.setState((all) => ({ [port]: { ...all[port], rateBefore } }));
}

/** Words for a screen reader, which announces each strip once. */
const said = pageStore('');

export const useSaidAdvice = (): string => said.use();

export const sayAdvice = (text: string): void => said.setState(text, true);
