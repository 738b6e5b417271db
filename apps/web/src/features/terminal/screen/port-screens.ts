/** The Screens of the page, one for each port, made when they are first shown and kept until the page is closed. */
import type { PortNumber } from '@wirebench/serial';
import { PortScreen } from './port-screen.ts';
import { ScreenLine } from './screen-line.ts';

const screens = new Map<PortNumber, PortScreen>();
let line: ScreenLine | null = null;

export function screenOf(port: PortNumber): PortScreen {
  line ??= new ScreenLine();
  const screen = screens.get(port) ?? new PortScreen(port, line);
  screens.set(port, screen);
  return screen;
}
