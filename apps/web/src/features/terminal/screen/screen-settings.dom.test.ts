import { expect, it } from 'vitest';
import { changeSettings } from '../settings/settings-store.ts';
import { changeKeys, changeScreen, currentScreen, readScreenSettings } from './screen-settings.ts';

const stored = () => readScreenSettings(localStorage.getItem('wirebench.screen'));

it('keeps what a board expects of keys for its port alone', () => {
  changeKeys(2, { enter: 'crlf', backspace: 'bs', localEcho: true });
  expect(stored().keys[2]).toEqual({ enter: 'crlf', backspace: 'bs', localEcho: true });
  expect(stored().keys[1]).toEqual({ enter: 'cr', backspace: 'del', localEcho: false });
});

it('leaves the Screen when Text or Hex is chosen by a key', () => {
  changeScreen({ isShown: true });
  expect(stored().isShown).toBe(true);
  changeSettings({ layout: 'hex' });
  expect(currentScreen().isShown).toBe(false);
});

it('keeps where the log is, and whether the port of the Screen is in it', () => {
  expect(stored()).toMatchObject({ log: 'beside', ownInLog: false });
  changeScreen({ log: 'below', ownInLog: true });
  expect(stored()).toMatchObject({ log: 'below', ownInLog: true });
});

it.each([
  null,
  '',
  '{',
  '[]',
  '{"log":"above","ownInLog":1}',
  '{"size":"1x1","typeSize":1000,"keys":{"1":{"enter":"x","backspace":1,"localEcho":"yes"}}}',
])('replaces what is invalid in %j by its default', (text) => {
  expect(readScreenSettings(text)).toMatchObject({ isShown: false, size: 'fit', typeSize: 13, readsAloud: false });
  expect(readScreenSettings(text).keys[1]).toEqual({ enter: 'cr', backspace: 'del', localEcho: false });
});
