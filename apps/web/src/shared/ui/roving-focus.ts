/**
 * Keyboard navigation of toolbars: one stop of the Tab key, within which the arrow keys, Home and End move. Base UI's
 * Toolbar is not used: it ignores Home and End, and takes the arrow keys from selection lists inside it (the plot's
 * toolbar).
 */
import { type KeyboardEvent, type RefObject, useEffect } from 'react';

/** Returns the member of `count` to which a key leads from `index`, with wrap-around; undefined for any other key. */
export function nextMember(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
      return (index + count - 1) % count;
    case 'ArrowRight':
      return (index + 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/**
 * Browsers without `checkVisibility` (Chromium before 105) lack container queries too, and only those hide buttons
 * here.
 */
const isShown = (element: HTMLElement) => element.checkVisibility?.() ?? true;

const membersOf = (group: HTMLElement | null) =>
  [...(group?.querySelectorAll<HTMLElement>('button:not([disabled]), a[href]') ?? [])].filter(isShown);

function stopAt(members: readonly HTMLElement[], stop: HTMLElement | undefined): void {
  for (const member of members) {
    member.tabIndex = member === stop ? 0 : -1;
  }
}

/**
 * Makes the buttons and links of a toolbar one stop of the Tab key: the last focused one, or the one that took its
 * place; the first, as long as none was focused.
 * @returns Key handler of the group.
 */
export function useRovingFocus(group: RefObject<HTMLElement | null>): (event: KeyboardEvent) => void {
  useEffect(() => {
    const root = group.current;
    if (root === null) {
      return;
    }
    /** The member focused last; undefined until one was. */
    let last: HTMLElement | undefined;
    /** Position of `last`. The member that takes the place of a removed one follows it. */
    let at = 0;
    const refresh = () => {
      const members = membersOf(root);
      if (last !== undefined) {
        last = members.includes(last) ? last : (members[Math.min(at, members.length - 1)] ?? last);
        at = Math.max(0, members.indexOf(last));
      }
      stopAt(members, last ?? members[0]);
    };
    const focused = ({ target }: FocusEvent) => {
      const members = membersOf(root);
      const member = members.find((one) => one === target);
      if (member !== undefined) {
        last = member;
        at = members.indexOf(member);
        stopAt(members, last);
      }
    };
    // Buttons appear, disappear and are disabled with the state; a narrower window hides some.
    const observer = new MutationObserver(refresh);
    observer.observe(root, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    root.addEventListener('focusin', focused);
    window.addEventListener('resize', refresh);
    refresh();
    return () => {
      observer.disconnect();
      root.removeEventListener('focusin', focused);
      window.removeEventListener('resize', refresh);
    };
  }, [group]);
  return (event) => {
    const members = membersOf(group.current);
    const index = members.indexOf(event.target as HTMLElement);
    const next = index < 0 ? undefined : nextMember(event.key, index, members.length);
    if (next !== undefined) {
      event.preventDefault();
      members[next]?.focus();
    }
  };
}
