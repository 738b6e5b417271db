/** Numbers that a person has chosen for the messages with `{value}`, by message id. They last as long as the page. */
import { filledMessage, nearestValue, numbersOf, type PinnedMessage } from '@wirebench/runs';
import { pageStore } from '../../../../shared/page-store.ts';

const store = pageStore<Readonly<Record<string, number>>>({});

export function chooseNumber(messageId: string, value: number): void {
  store.setState({ [messageId]: value });
}

/** Returns the chosen number as the range has it now; null: none was chosen, or the message has no range. */
function chosenFor(chosen: Readonly<Record<string, number>>, message: PinnedMessage): number | null {
  const numbers = numbersOf(message);
  const value = chosen[message.id];
  return numbers === null || value === undefined ? null : nearestValue(numbers, value);
}

export const useChosenNumber = (message: PinnedMessage): number | null =>
  store.use((chosen) => chosenFor(chosen, message));

/** Returns a message with its chosen number. Without one it stays as it is. */
export function withChosenNumber(message: PinnedMessage): PinnedMessage {
  const value = chosenFor(store.getState(), message);
  return value === null ? message : filledMessage(message, value);
}
