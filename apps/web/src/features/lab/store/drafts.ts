/** What is typed into the forms of instruments, and chosen there: kept while others are looked at, for as long as the page lives. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

const draftStore = createStore<Readonly<Record<string, string>>>(() => ({}));

/** @param place the form and its field, and what they are about @param first until something is typed there */
export function useDraft(place: string, first: string): readonly [string, (text: string) => void] {
  const text = useStore(draftStore, (drafts) => drafts[place]);
  return [text ?? first, (typed) => draftStore.setState({ [place]: typed })];
}

/** @param place as for text @param first until one of the others is chosen there */
export function useChoice<Value extends string | number>(
  place: string,
  values: readonly Value[],
  first: Value,
): readonly [Value, (value: Value) => void] {
  const [text, setText] = useDraft(place, String(first));
  return [values.find((value) => String(value) === text) ?? first, (value) => setText(String(value))];
}

/** For tests: nothing was typed. */
export function forgetDrafts(): void {
  draftStore.setState({}, true);
}
