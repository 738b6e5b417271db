/** Colours of a terminal from the page's design tokens, for the current theme. */
import type { ITheme } from '@xterm/xterm';

/** @param element An element of the page, whose theme counts. */
export function screenTheme(element: Element): ITheme {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(`--color-${name}`).trim();
  const isLight = style.colorScheme === 'light';
  const [black, white] = isLight ? ['text', 'border-strong'] : ['border-strong', 'text'];
  const background = token('well');
  const foreground = token('text');
  const theme = {
    background,
    foreground,
    cursor: token('accent'),
    cursorAccent: background,
    selectionBackground: token('mark'),
    // A match is selected while the focus is in the field that finds.
    selectionInactiveBackground: token('mark'),
    scrollbarSliderBackground: token('border-strong'),
    scrollbarSliderHoverBackground: token('border-control'),
    scrollbarSliderActiveBackground: token('border-control'),
    black: token(black ?? 'text'),
    brightBlack: token('ansi-grey'),
    white: token(white ?? 'text'),
    brightWhite: foreground,
  };
  const colours = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const;
  const bright = (name: string) => `bright${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return {
    ...theme,
    ...Object.fromEntries(
      colours.flatMap((name) => [
        [name, token(`ansi-${name}`)],
        [bright(name), token(`ansi-${name}`)],
      ]),
    ),
  };
}
